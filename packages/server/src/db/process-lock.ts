import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { makePrivateFolder } from './private-folder.ts';

/**
 * Lock between processes on a file. The kernel ends it with the process that holds it, however that
 * dies, so no stale lock file has to be judged by its age or by a process id that was given away
 * again.
 */
export interface ProcessLock {
  release(): void;
}

/** Error code of SQLite if somebody else holds the lock. */
const SQLITE_BUSY = 5;

/** Pause between two tries to get a lock. */
const RETRY_INTERVAL_MS = 10;

/**
 * Takes a lock if it is free.
 * @param mode `shared`: together with other shared holders; `exclusive`: alone.
 * @returns null if another process, or another lock of this one, is in the way.
 */
export function tryLock(file: string, mode: 'shared' | 'exclusive'): ProcessLock | null {
  // Who may read the file may hold a shared lock on it, and keep everybody from an exclusive one.
  makePrivateFolder(path.dirname(file));
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // Nothing is ever written, so no journal appears next to the file. A read takes the shared
    // lock.
    database.exec(mode === 'exclusive' ? 'begin exclusive' : 'begin; select count(*) from sqlite_master');
  } catch (error) {
    database?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw new Error(`cannot lock ${file}: ${(error as Error).message}`, { cause: error });
  }
  return { release: () => database.close() };
}

/** Waits for a lock. @returns null if the time is over. */
export async function waitForLock(
  file: string,
  mode: 'shared' | 'exclusive',
  timeoutMs: number,
): Promise<ProcessLock | null> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(file, mode);
    if (lock !== null || performance.now() > endsAt) return lock;
    await delay(RETRY_INTERVAL_MS);
  }
}
