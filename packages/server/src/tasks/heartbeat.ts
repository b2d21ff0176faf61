import type { Database } from '../db/database.ts';
import type { Lease } from './lock-task.ts';
import type { TaskResult } from './task.ts';

export interface Heartbeat extends Lease {
  readonly leaseMs: number;
  /** Progress, 0 to 1. A value lower than the current one is ignored. */
  readonly progress?: number;
  /** The outputs so far. */
  readonly result?: TaskResult;
}

/**
 * Extends the lease and saves the progress.
 * @returns false if the task was cancelled, has ended or was given to another worker; this worker
 * must stop
 *   working on it.
 */
export async function heartbeat(db: Database, beat: Heartbeat): Promise<boolean> {
  const { rowCount } = await db.pool.query({
    name: 'heartbeat',
    text: `update tasks set
        lease_until = clock_timestamp() + $3::float8 * interval '1 ms',
        progress = greatest(progress, $4::real),
        result = coalesce($5::jsonb, result)
      where id = $1 and lease_token = $2 and status = 'PROCESSING'`,
    values: [
      beat.taskId,
      beat.leaseToken,
      beat.leaseMs,
      beat.progress ?? null,
      beat.result === undefined ? null : JSON.stringify(beat.result),
    ],
  });
  return rowCount === 1;
}
