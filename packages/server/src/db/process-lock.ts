import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { makePrivateFolder } from './private-folder.ts';

/**
 * Lock between processes, on a file. The kernel releases it when its process ends for any reason,
 * so there are never stale locks.
 */
export interface ProcessLock {
  release(): void;
}

/** SQLite's error code if another process holds the lock. */
const SQLITE_BUSY = 5;

/** Pause between two attempts to get a lock. */
const RETRY_INTERVAL_MS = 10;

/**
 * Takes a lock if it is free.
 * @param mode `shared`: together with other shared holders; `exclusive`: alone.
 * @returns null if another process, or another lock of this process, prevents it.
 */
export function tryLock(file: string, mode: 'shared' | 'exclusive'): ProcessLock | null {
  // Anyone who can read the file could hold a shared lock and so prevent exclusive locks.
  makePrivateFolder(path.dirname(file));
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // Nothing is ever written, so SQLite makes no journal file. A read takes the shared lock.
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
