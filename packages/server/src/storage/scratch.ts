import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MEBIBYTE } from '@guise/contract/limits.ts';
import { type ProcessLock, tryLock } from '../db/process-lock.ts';
import { DiskRoom, type PromisedRoom } from './disk-room.ts';

/** Age of a scratch file beyond the longest upload or encoding. */
export const SCRATCH_LIFETIME_MS = 60 * 60 * 1000;

/** Room that uploads leave free: outputs of accepted tasks and the database still need some. */
const DEFAULT_MIN_FREE_BYTES = 256 * MEBIBYTE;

/** Suffix of a folder's lock file. */
const LOCK_SUFFIX = '.lock';

/** File that SQLite makes next to a lock that it holds. */
const JOURNAL_SUFFIX = `${LOCK_SUFFIX}-journal`;

/**
 * Name of this machine in folder names: the folders of another one cannot be judged by their locks,
 * because not every shared file system carries locks.
 */
const MACHINE_ID = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);

export interface ScratchOptions {
  readonly minFreeBytes?: number;
  /** Free bytes of the disk; asked of the disk itself by default. */
  readonly freeBytes?: () => Promise<number>;
}

/**
 * Folder of files under way, one for each process. The kernel ends its lock with the process, also
 * after kill -9, so that the next start knows which folders belong to nobody.
 */
export class Scratch {
  readonly #root: string;
  readonly #folder: string;
  readonly #room: DiskRoom;
  /**
   * Lock that is held as long as this process lives; without a reference it would be collected and
   * so released.
   */
  readonly lock: ProcessLock;

  private constructor(root: string, folder: string, lock: ProcessLock, room: DiskRoom) {
    this.#root = root;
    this.#folder = folder;
    this.#room = room;
    this.lock = lock;
  }

  /**
   * Opens the folder of this process, and deletes those of dead processes of this machine.
   * @param root created if it is missing, readable by nobody else
   */
  static async open(
    root: string,
    { minFreeBytes = DEFAULT_MIN_FREE_BYTES, freeBytes = () => freeBytesOf(root) }: ScratchOptions = {},
  ): Promise<Scratch> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    for (;;) {
      const folder = path.join(root, `${MACHINE_ID}-${randomBytes(8).toString('hex')}`);
      const lock = tryLock(folder + LOCK_SUFFIX, 'exclusive');
      // Another process that starts may have taken the lock's file for one of the dead in this very
      // moment.
      if (lock === null) continue;
      if (!existsSync(folder + LOCK_SUFFIX)) {
        lock.release();
        continue;
      }
      await mkdir(folder, { mode: 0o700 });
      const scratch = new Scratch(root, folder, lock, new DiskRoom(freeBytes, minFreeBytes));
      await scratch.#sweepDead();
      return scratch;
    }
  }

  /** Makes a path for a file that will be put into the storage. @param extension without the dot */
  newPath(extension: string): string {
    return path.join(this.#folder, `${randomBytes(24).toString('hex')}.${extension}`);
  }

  /** Files that this process has under way. */
  files(): Promise<string[]> {
    return readdir(this.#folder);
  }

  /**
   * Promises room for files of this size on this machine's disk. The caller releases it in every
   * case.
   * @throws AppError BUSY, with a plain sentence, if it is not there
   */
  promiseRoom(accountId: string, bytes: number): Promise<PromisedRoom> {
    return this.#room.promise(accountId, bytes);
  }

  /**
   * Deletes what dead processes of this machine left, and files last written before `before`, of
   * whichever process.
   * @returns how many folders and files
   */
  async sweep(before: Date): Promise<number> {
    return (await this.#sweepDead()) + (await this.#sweepOld(before));
  }

  async #sweepDead(): Promise<number> {
    let swept = 0;
    for (const name of await readdir(this.#root)) {
      if (!name.startsWith(MACHINE_ID) || !name.endsWith(LOCK_SUFFIX)) continue;
      const lockPath = path.join(this.#root, name);
      const lock = tryLock(lockPath, 'exclusive');
      if (lock === null) continue;
      try {
        await rm(lockPath.slice(0, -LOCK_SUFFIX.length), { recursive: true, force: true });
        await rm(`${lockPath}-journal`, { force: true });
        await rm(lockPath, { force: true });
      } finally {
        lock.release();
      }
      swept += 1;
    }
    return swept;
  }

  async #sweepOld(before: Date): Promise<number> {
    let swept = 0;
    for (const entry of await readdir(this.#root, { withFileTypes: true })) {
      if (entry.name.endsWith(LOCK_SUFFIX) || entry.name.endsWith(JOURNAL_SUFFIX)) continue;
      const found = path.join(this.#root, entry.name);
      const files = entry.isDirectory() ? await listFolder(found) : [found];
      for (const file of files) {
        if (!(await isOlder(file, before))) continue;
        await rm(file, { recursive: true, force: true });
        swept += 1;
      }
    }
    return swept;
  }
}

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

async function isOlder(file: string, date: Date): Promise<boolean> {
  return await unlessGone(async () => (await stat(file)).mtimeMs < date.getTime(), false);
}

async function listFolder(folder: string): Promise<string[]> {
  return await unlessGone(async () => (await readdir(folder)).map((name) => path.join(folder, name)), []);
}

/** Looks at a file that its owner may take away at any time. */
async function unlessGone<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
