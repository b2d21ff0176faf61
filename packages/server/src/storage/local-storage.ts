import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { MEBIBYTE } from '@guise/contract/limits.ts';
import { DiskRoom, type PromisedRoom } from './disk-room.ts';
import { inParallel } from './in-parallel.ts';
import { Scratch } from './scratch.ts';
import type { ByteRange, ObjectKind, Storage, Undeleted } from './storage.ts';

/** Room that uploads leave free: outputs of accepted tasks and the database still need some. */
const DEFAULT_MIN_FREE_BYTES = 256 * MEBIBYTE;

/**
 * Form of a key: kind, first two digits, rest, so that no folder grows too large to be listed
 * quickly.
 */
const KEY_PATTERN = /^(in|out)\/[0-9a-f]{2}\/[0-9a-f]{46}\.[a-z0-9]{1,8}$/;

/** First part of a key, by the kind of object. */
const FOLDER_OF_KIND: Record<ObjectKind, string> = { input: 'in', output: 'out', temporary: 'in' };

/** Deletions that run at once; more would wait for the four threads of Node. */
const MAX_PARALLEL_DELETIONS = 16;

export interface LocalStorageOptions {
  readonly minFreeBytes?: number;
  /** Free bytes of the disk; asked of the disk itself by default. */
  readonly freeBytes?: () => Promise<number>;
}

/** Storage in a folder of this machine. */
export class LocalStorage implements Storage {
  readonly #objectsDir: string;
  readonly #scratch: Scratch;
  readonly #room: DiskRoom;

  private constructor(objectsDir: string, scratch: Scratch, room: DiskRoom) {
    this.#objectsDir = objectsDir;
    this.#scratch = scratch;
    this.#room = room;
  }

  /** Opens the storage. @param rootDir created if it is missing, readable by nobody else. */
  static async open(rootDir: string, options: LocalStorageOptions = {}): Promise<LocalStorage> {
    const objectsDir = path.join(rootDir, 'objects');
    const scratchDir = path.join(rootDir, 'scratch');
    for (const dir of [rootDir, objectsDir, scratchDir]) await mkdir(dir, { recursive: true, mode: 0o700 });
    const { minFreeBytes = DEFAULT_MIN_FREE_BYTES, freeBytes = () => freeBytesOf(scratchDir) } = options;
    const room = new DiskRoom(freeBytes, minFreeBytes);
    return new LocalStorage(objectsDir, await Scratch.open(scratchDir), room);
  }

  newKey(kind: ObjectKind, extension: string): string {
    const name = randomBytes(24).toString('hex');
    return `${FOLDER_OF_KIND[kind]}/${name.slice(0, 2)}/${name.slice(2)}.${extension}`;
  }

  scratchPath(extension: string): string {
    return this.#scratch.newPath(extension);
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
    // Opened before the answer begins, so that a file just deleted is an error and not a cut
    // answer.
    const handle = await open(this.#pathOf(key), 'r');
    return handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  deleteAll(keys: readonly string[]): Promise<readonly Undeleted[]> {
    return inParallel(keys, MAX_PARALLEL_DELETIONS, (key) => this.delete(key));
  }

  scratchFiles(): Promise<readonly string[]> {
    return this.#scratch.files();
  }

  async sweepScratch(before: Date): Promise<number> {
    return (await this.#scratch.sweepDead()) + (await this.#scratch.sweepOld(before));
  }

  promiseRoom(accountId: string, bytes: number): Promise<PromisedRoom> {
    return this.#room.promise(accountId, bytes);
  }

  #pathOf(key: string): string {
    if (!isStorageKey(key)) throw new TypeError('not a storage key');
    return path.join(this.#objectsDir, key);
  }
}

/**
 * Returns whether a text has the form that `newKey` makes: keys reach the file system, so nothing
 * else may.
 */
export function isStorageKey(key: string): boolean {
  return KEY_PATTERN.test(key);
}

/**
 * Returns whether an error says that a file does not exist, also if the callback of `withLocalFile`
 * threw it.
 */
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

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}
