import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '../database.ts';

/** Longest wait before the test fails. */
const LIMIT_MS = 60_000;

/** Pause between two checks. */
const POLL_MS = 5;

/**
 * Waits until a connection of this database waits for a lock. For tests of concurrency.
 * @throws if none does in time.
 */
export async function untilLockWait(db: Queryable): Promise<void> {
  for (const deadline = performance.now() + LIMIT_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const { rowCount } = await db.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rowCount !== 0) return;
  }
  throw new Error('no connection waits for a lock');
}
