import { setTimeout as delay } from 'node:timers/promises';

/**
 * Time for which a worker retries what it must not lose: longer than a restart of PostgreSQL takes,
 * after which the lease is lost anyway.
 */
export const DATABASE_RETRY_MS = 60_000;

/** Pause between two tries. */
const RETRY_INTERVAL_MS = 250;

/**
 * Classes of SQLSTATE that pass: a server that stops, starts, is full or only follows another, and
 * transactions that lost a race.
 */
const PASSING_SQLSTATE_PATTERN = /^(08|25006|40|53|57)/;

/** Form of a SQLSTATE. */
const SQLSTATE_PATTERN = /^[0-9A-Z]{5}$/;

/**
 * Repeats `action` while the database is away, for at most `limitMs`: minutes of work must not be
 * lost to a restart of PostgreSQL. `action` must be safe to repeat.
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
  // A broken connection has the socket's code or none. Some look like the server's: EPIPE.
  const isFromServer = typeof code === 'string' && SQLSTATE_PATTERN.test(code) && syscall === undefined;
  if (!isFromServer) return error instanceof Error;
  return PASSING_SQLSTATE_PATTERN.test(code);
}
