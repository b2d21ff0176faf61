import { open, type FileHandle } from 'node:fs/promises';
import { writeDurably, type WrittenFile } from './write-durably.ts';

/** The present file, from which its replacement is made. */
export interface RewriteSource {
  readonly file: FileHandle;
  readonly sizeBytes: number;
  /**
   * Yields the file's bytes from `start` up to `end`, in pieces. A piece is valid until the next is
   * requested.
   */
  copy(start: number, end: number): AsyncGenerator<Uint8Array>;
}

/** Size of the buffer through which a file is copied. */
const COPY_BUFFER_BYTES = 1024 * 1024;

/**
 * Replaces a file with what `produce` makes of it, through a buffer of 1 MiB for a file of any
 * size. The new file appears under the name when it is complete and on disk; otherwise the old file
 * stays unchanged.
 */
export async function rewriteFile(
  filePath: string,
  produce: (source: RewriteSource) => AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  await using file = await open(filePath, 'r');
  const copy = (start: number, end: number) => filePieces(file, start, end);
  return await writeDurably(filePath, produce({ file, sizeBytes: (await file.stat()).size, copy }));
}

/**
 * Reads a range of a file piece by piece.
 * @throws Error if the file has become shorter than `end`
 */
async function* filePieces(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.allocUnsafe(Math.min(COPY_BUFFER_BYTES, end - start));
  for (let at = start; at < end;) {
    const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, end - at), at);
    if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
