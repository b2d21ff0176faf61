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

/** Form of a SQLSTATE, which only the server itself sends. */
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
  const { code } = error as { readonly code?: unknown };
  // A broken connection has the socket's code or none; only the server sends a SQLSTATE.
  if (typeof code !== 'string' || !SQLSTATE_PATTERN.test(code)) return error instanceof Error;
  return PASSING_SQLSTATE_PATTERN.test(code);
}
