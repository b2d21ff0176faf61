import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MEBIBYTE } from '@guise/contract/limits.ts';
import { type ProcessLock, tryLock } from '../db/process-lock.ts';
import { DiskRoom, type PromisedRoom } from './disk-room.ts';

/** Age after which a scratch file may be deleted. No upload or encoding takes that long. */
export const SCRATCH_LIFETIME_MS = 60 * 60 * 1000;

/** Disk space that uploads leave free for the outputs of accepted tasks and the database. */
const DEFAULT_MIN_FREE_BYTES = 256 * MEBIBYTE;

/** Suffix of a folder's lock file. */
const LOCK_SUFFIX = '.lock';

/** File that SQLite creates next to a lock file while it holds the lock. */
const JOURNAL_SUFFIX = `${LOCK_SUFFIX}-journal`;

/**
 * Name of this machine in folder names. Locks are only checked for folders of this machine, because
 * some shared file systems do not share locks between machines.
 */
const MACHINE_ID = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);

export interface ScratchOptions {
  readonly minFreeBytes?: number;
  /** Returns the free bytes; by default those of the disk. */
  readonly freeBytes?: () => Promise<number>;
}

/**
 * Folder of temporary files, one for each process. Each has a lock that the kernel releases when
 * the process ends, also after kill -9. So the next start knows which folders belong to no process.
 */
export class Scratch {
  readonly #root: string;
  readonly #folder: string;
  readonly #room: DiskRoom;
  /**
   * Lock that is held as long as this process lives. This reference keeps the lock from being
   * garbage-collected, which would release it.
   */
  readonly lock: ProcessLock;

  private constructor(root: string, folder: string, lock: ProcessLock, room: DiskRoom) {
    this.#root = root;
    this.#folder = folder;
    this.#room = room;
    this.lock = lock;
  }

  /**
   * Opens the folder of this process, and deletes the folders of dead processes on this machine.
   * @param root is created if it is missing, readable only by this user
   */
  static async open(
    root: string,
    { minFreeBytes = DEFAULT_MIN_FREE_BYTES, freeBytes = () => freeBytesOf(root) }: ScratchOptions = {},
  ): Promise<Scratch> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    for (;;) {
      const folder = path.join(root, `${MACHINE_ID}-${randomBytes(8).toString('hex')}`);
      const lock = tryLock(folder + LOCK_SUFFIX, 'exclusive');
      // Another process that is starting may have taken our new lock for that of a dead process
      // just now, and deleted it.
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

  /** Makes a path for a new file that will be stored later. @param extension without the dot */
  newPath(extension: string): string {
    return path.join(this.#folder, `${randomBytes(24).toString('hex')}.${extension}`);
  }

  /** Lists the files in this process's folder. */
  files(): Promise<string[]> {
    return readdir(this.#folder);
  }

  /**
   * Reserves space for files of this size on this machine's disk. The caller must always release
   * it.
   * @throws AppError BUSY if there is too little space
   */
  promiseRoom(accountId: string, bytes: number): Promise<PromisedRoom> {
    return this.#room.promise(accountId, bytes);
  }

  /**
   * Deletes the folders of dead processes on this machine, and the files of any process that were
   * last written before `before`.
   * @returns the number of deleted folders and files
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

/** Reads something about a file that another process may delete at any time. */
async function unlessGone<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
