import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { loadConfig } from '@guise/server/config/config.ts';
import { watermarkIdOf } from '@guise/server/storage/watermarks.ts';

/**
 * Returns the id of the watermark of a swap, in hex: it follows from the contents of its files. The
 * command keeps no record of it.
 * @returns undefined if GUISE_WATERMARK turns it off
 */
export async function watermarkOfFiles(files: readonly string[]): Promise<string | undefined> {
  if (!loadConfig().watermark) return undefined;
  const all = createHash('sha256');
  for (const file of files) all.update(await sha256Of(file));
  return watermarkIdOf(all.digest());
}

/** Returns the SHA-256 of a file's content. */
export async function sha256Of(file: string, signal?: AbortSignal): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest();
}
