import { open } from 'node:fs/promises';

/** Flushes a finished file to disk, before it gets its name. */
export async function syncFile(filePath: string): Promise<void> {
  await using file = await open(filePath, 'r+');
  await file.sync();
}
