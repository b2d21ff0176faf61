import type { Database } from '../../db/database.ts';
import { type ClaimedTask, type ClaimOptions, claimTasks } from '../queue/claim-tasks.ts';
import { WHOLE_QUEUE } from '../queue/lane-clock.ts';

/** Claims one task; null if none waits. */
export async function claimTask(
  db: Database,
  options: Pick<ClaimOptions, 'lanes' | 'leaseMs'>,
): Promise<ClaimedTask | null> {
  const [task] = await claimTasks(db.pool, { ...options, limit: 1, from: WHOLE_QUEUE });
  return task ?? null;
}
