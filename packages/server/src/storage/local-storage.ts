import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@guise/contract/errors.ts';
import { MEBIBYTE } from '@guise/contract/limits.ts';
import type { ByteRange, ObjectKind, Storage } from './storage.ts';

/** Room that uploads leave: outputs of tasks already accepted, and the database, still need some. */
const DEFAULT_MIN_FREE_BYTES = 256 * MEBIBYTE;

// kind / first two digits / rest: no folder grows beyond what a file system lists quickly.
const KEY_PATTERN = /^(in|out)\/[0-9a-f]{2}\/[0-9a-f]{46}\.[a-z0-9]{1,8}$/;
const FOLDERS: Record<ObjectKind, string> = { input: 'in', output: 'out' };

/** Storage in a folder of this machine. */
export class LocalStorage implements Storage {
  readonly #objectsDir: string;
  readonly #scratchDir: string;
  readonly #minFreeBytes: number;

  private constructor(rootDir: string, minFreeBytes: number) {
    this.#objectsDir = path.join(rootDir, 'objects');
    this.#scratchDir = path.join(rootDir, 'scratch');
    this.#minFreeBytes = minFreeBytes;
  }

  /** @param rootDir made where it is missing, readable by nobody else. */
  static async open(rootDir: string, options: { minFreeBytes?: number } = {}): Promise<LocalStorage> {
    const storage = new LocalStorage(rootDir, options.minFreeBytes ?? DEFAULT_MIN_FREE_BYTES);
    for (const dir of [rootDir, storage.#objectsDir, storage.#scratchDir]) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
    }
    return storage;
  }

  newKey(kind: ObjectKind, extension: string): string {
    const name = randomBytes(24).toString('hex');
    return `${FOLDERS[kind]}/${name.slice(0, 2)}/${name.slice(2)}.${extension}`;
  }

  scratchPath(extension: string): string {
    return path.join(this.#scratchDir, `${randomBytes(24).toString('hex')}.${extension}`);
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
    // Opened before the answer begins, so that a file just deleted is an error and not a cut answer.
    const handle = await open(this.#pathOf(key), 'r');
    return handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async sweepScratch(before: Date): Promise<number> {
    let swept = 0;
    for (const name of await readdir(this.#scratchDir)) {
      const file = path.join(this.#scratchDir, name);
      try {
        if ((await stat(file)).mtimeMs >= before.getTime()) continue;
        await rm(file, { recursive: true, force: true });
        swept += 1;
      } catch (error) {
        // Its owner took it away meanwhile.
        if (!isMissing(error)) throw error;
      }
    }
    return swept;
  }

  async requireSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#scratchDir);
    if (bavail * bsize < this.#minFreeBytes) throw outOfSpace();
  }

  #pathOf(key: string): string {
    if (!isStorageKey(key)) throw new TypeError('not a storage key');
    return path.join(this.#objectsDir, key);
  }
}

/** Keys reach the file system, so nothing but the shape of `newKey` does. */
export function isStorageKey(key: string): boolean {
  return KEY_PATTERN.test(key);
}

/** The one sentence about a full disk, whether it was foreseen or hit. */
export function outOfSpace(cause?: unknown): AppError {
  return new AppError('INTERNAL_ERROR', 'The service has no room left to store files.', {}, cause);
}

export function isOutOfSpace(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Also of what `withLocalFile` was told to use. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function syncToDisk(fileOrDir: string): Promise<void> {
  const handle = await open(fileOrDir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
