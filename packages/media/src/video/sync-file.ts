import { open } from 'node:fs/promises';

/** Flushes a finished file to disk, before it gets its name. */
export async function syncFile(filePath: string): Promise<void> {
  const file = await open(filePath, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
