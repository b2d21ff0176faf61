import { open, type FileHandle } from 'node:fs/promises';
import { writeDurably, type WrittenFile } from './write-durably.ts';

/** The file as it is, from which its replacement is made. */
export interface RewriteSource {
  readonly file: FileHandle;
  readonly sizeBytes: number;
  /** Its bytes from `start` up to `end`, in pieces that are valid until the next is asked for. */
  copy(start: number, end: number): AsyncGenerator<Uint8Array>;
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Replaces a file by what `produce` makes of it, piece by piece, through one buffer of 1 MiB
 * however large it is. The new file takes the name whole and on disk, or the old one stays as it
 * was.
 */
export async function rewriteFile(
  filePath: string,
  produce: (source: RewriteSource) => AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const file = await open(filePath, 'r');
  try {
    const copy = (start: number, end: number) => filePieces(file, start, end);
    return await writeDurably(filePath, produce({ file, sizeBytes: (await file.stat()).size, copy }));
  } finally {
    await file.close();
  }
}

/** @throws Error where the file has become shorter than `end` */
async function* filePieces(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - start));
  for (let at = start; at < end;) {
    const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, end - at), at);
    if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
