import { open } from 'node:fs/promises';
import { sniffContainer } from '@guise/media/video/container.ts';
import type { SourceContainer } from '@guise/media/video/video-types.ts';

/** Bytes of a file that are read to recognise its container. */
const HEAD_BYTES = 4096;

/** Tells by its content which container a file is; null if it is neither a video nor a GIF. */
export async function containerOf(file: string): Promise<SourceContainer | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return sniffContainer(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
