import type { Database } from '../db/database.ts';
import type { Lease } from './lock-task.ts';
import type { TaskResult } from './task.ts';

export interface Heartbeat extends Lease {
  readonly leaseMs: number;
  /** Progress, 0..1; a lower value than before changes nothing. */
  readonly progress?: number;
  /** The outputs so far. */
  readonly result?: TaskResult;
}

/**
 * Prolongs the lease and shows what is done so far.
 * @returns false: the task is no longer this worker's (cancelled, ended or given to another): stop
 * working on it.
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
