import type { ClipFormat } from '@guise/contract/formats.ts';
import { open } from 'node:fs/promises';
import { sniffContainer } from '@guise/media/video/container.ts';
import { canLoadNodeAv, NO_NODE_AV } from '@guise/media/video/node-av.ts';

/** Bytes of a file that are read to recognise its container. */
const HEAD_BYTES = 4096;

/**
 * Returns a file's container, recognised by content; null if the file is neither a video nor a GIF.
 * @throws Error if it is a video and node-av, which reads videos, cannot be loaded
 */
export async function containerOf(file: string): Promise<ClipFormat | null> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const container = sniffContainer(buffer.subarray(0, bytesRead));
  if (container !== null && container !== 'gif' && !(await canLoadNodeAv())) throw new Error(NO_NODE_AV);
  return container;
}
