import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { inParallel } from './in-parallel.ts';
import { Scratch, type ScratchOptions } from './scratch.ts';
import { type ByteRange, isStorageKey, type Storage, type Undeleted } from './storage.ts';

/**
 * Largest number of deletions that run at once. More would only wait for the four threads of Node.
 */
const MAX_PARALLEL_DELETIONS = 16;

/** Storage in a folder on this machine. */
export class LocalStorage implements Storage {
  readonly scratch: Scratch;
  readonly #objectsDir: string;

  private constructor(objectsDir: string, scratch: Scratch) {
    this.#objectsDir = objectsDir;
    this.scratch = scratch;
  }

  /** Opens the storage. @param rootDir is created if it is missing, readable only by this user. */
  static async open(rootDir: string, options?: ScratchOptions): Promise<LocalStorage> {
    const objectsDir = path.join(rootDir, 'objects');
    for (const dir of [rootDir, objectsDir]) await mkdir(dir, { recursive: true, mode: 0o700 });
    return new LocalStorage(objectsDir, await Scratch.open(path.join(rootDir, 'scratch'), options));
  }

  async put(key: string, filePath: string): Promise<void> {
    const target = this.#pathOf(key);
    const dir = path.dirname(target);
    const made = await mkdir(dir, { recursive: true, mode: 0o700 });
    await syncToDisk(filePath);
    await rename(filePath, target);
    await syncToDisk(dir);
    if (made !== undefined) await syncToDisk(path.dirname(dir));
  }

  withLocalFile<T>(key: string, use: (filePath: string) => Promise<T>): Promise<T> {
    return use(this.#pathOf(key));
  }

  async sizeBytes(key: string): Promise<number | null> {
    if (!isStorageKey(key)) return null;
    try {
      return (await stat(this.#pathOf(key))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async openRead(key: string, range?: ByteRange): Promise<Readable> {
    // The file is opened before the answer begins, so that a file that was just deleted gives an
    // error and not a truncated answer.
    const handle = await open(this.#pathOf(key), 'r');
    return handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  deleteAll(keys: readonly string[]): Promise<readonly Undeleted[]> {
    return inParallel(keys, MAX_PARALLEL_DELETIONS, (key) => this.delete(key));
  }

  #pathOf(key: string): string {
    if (!isStorageKey(key)) throw new TypeError('not a storage key');
    return path.join(this.#objectsDir, key);
  }
}

/**
 * Returns whether an error says that a file does not exist, also if the callback of `withLocalFile`
 * threw it.
 */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function syncToDisk(fileOrDir: string): Promise<void> {
  await using handle = await open(fileOrDir, 'r');
  await handle.sync();
}
