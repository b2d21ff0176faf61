import type { Database } from '../../db/database.ts';
import { IS_LEASED_PART, leasedPartValues, type PartLease } from './part.ts';

export interface PartHeartbeat {
  readonly leaseMs: number;
  /** Progress that the leader may show, as JSON; its form depends on the step. */
  readonly progress?: unknown;
}

/**
 * Extends the lease of a part and saves its progress.
 * @returns false if the part does not belong to this worker any more or its task has ended; this
 * worker must
 *   stop working on it
 */
export async function heartbeatPart(
  db: Database,
  lease: PartLease,
  { leaseMs, progress }: PartHeartbeat,
): Promise<boolean> {
  const { rowCount } = await db.pool.query({
    name: 'heartbeat-part',
    text: `update task_parts set
        lease_until = clock_timestamp() + $5::float8 * interval '1 ms',
        progress = coalesce($6::jsonb, progress)
      where ${IS_LEASED_PART} and status = 'RUNNING'`,
    values: [...leasedPartValues(lease), leaseMs, progress === undefined ? null : JSON.stringify(progress)],
  });
  return rowCount === 1;
}
