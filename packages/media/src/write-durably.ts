import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Size and checksum of a file as it was written. */
export interface WrittenFile {
  sizeBytes: number;
  /** Checksum in lower-case hex. */
  sha256: string;
}

/**
 * Writes a file, which appears under `outPath` when it is complete and on disk; otherwise it does
 * not appear. Its folder must exist. An existing file is replaced.
 */
export async function writeDurably(
  outPath: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const partPath = `${outPath}.${randomUUID()}.part`;
  try {
    const written = await writePart(partPath, pieces);
    await rename(partPath, outPath);
    await syncFolder(path.dirname(outPath));
    return written;
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  }
}

async function writePart(
  partPath: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  await using file = await open(partPath, 'wx');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    sizeBytes += piece.length;
    // `writeFile` continues until the whole piece is written, while `write` may stop earlier.
    await file.writeFile(piece);
  }
  await file.sync();
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** Flushes a folder to disk, which makes a rename inside it durable. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
