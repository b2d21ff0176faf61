import { setTimeout as delay } from 'node:timers/promises';

/**
 * Time for which a worker repeats a statement that must not be lost. A restart of PostgreSQL takes
 * less, and after this time the lease is lost anyway.
 */
export const DATABASE_RETRY_MS = 60_000;

/** Pause between two tries. */
const RETRY_INTERVAL_MS = 250;

/**
 * SQLSTATE classes of temporary errors: the server is stopping, starting, full or a read-only
 * standby, or a transaction conflicted with another.
 */
const PASSING_SQLSTATE_PATTERN = /^(08|25006|40|53|57)/;

/** Format of an SQLSTATE. */
const SQLSTATE_PATTERN = /^[0-9A-Z]{5}$/;

/**
 * Repeats `action` while the database cannot be reached, for at most `limitMs`, so that a restart
 * of PostgreSQL does not lose minutes of work. `action` must be safe to repeat.
 */
export async function retryWhileDatabaseIsAway<T>(limitMs: number, action: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isPassing(error) || performance.now() - startedAtMs > limitMs) throw error;
      await delay(RETRY_INTERVAL_MS);
    }
  }
}

function isPassing(error: unknown): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  // The error of a broken connection has the code of the socket or none. Some of those codes look
  // like an SQLSTATE, such as EPIPE, but such an error has a `syscall`.
  const isFromServer = typeof code === 'string' && SQLSTATE_PATTERN.test(code) && syscall === undefined;
  if (!isFromServer) return error instanceof Error;
  return PASSING_SQLSTATE_PATTERN.test(code);
}
