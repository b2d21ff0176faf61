import type { FileHandle } from 'node:fs/promises';

/** Reads `length` bytes of an open file, or fewer if the file ends earlier. */
export async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
