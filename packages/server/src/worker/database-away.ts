import { setTimeout as delay } from 'node:timers/promises';

/**
 * For what a worker must not lose: longer than a restart of PostgreSQL takes; beyond it the lease
 * is lost anyway.
 */
export const DATABASE_PATIENCE_MS = 60_000;
const RETRY_INTERVAL_MS = 250;
/**
 * SQLSTATE classes of a server that goes, comes or is full, and of transactions that lost a race.
 */
const PASSING_SQLSTATE = /^(08|40|53|57)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Does `action` again while the database is away, for at most `limitMs`: the outcome of minutes of
 * work must not be lost to a restart of PostgreSQL. `action` must be safe to repeat.
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
  // A broken connection has the socket's code or none; only the server itself speaks SQLSTATE.
  if (typeof code !== 'string' || !SQLSTATE.test(code)) return error instanceof Error;
  return PASSING_SQLSTATE.test(code);
}
