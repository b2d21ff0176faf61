import type { Database } from '../../db/database.ts';
import type { Lease } from '../lock-task.ts';
import type { PartStep } from './part.ts';

/**
 * Deletes all parts of a step, finished or not, so that a leader can start the step again after the
 * engine that started it is gone.
 * @returns false if the task does not belong to this worker any more
 */
export async function dropStep(db: Database, lease: Lease, step: PartStep): Promise<boolean> {
  const { rows } = await db.pool.query<{ readonly is_led: boolean }>({
    name: 'drop-step',
    text: `with leader as (
        select id from tasks where id = $1 and lease_token = $2 and status = 'PROCESSING' for key share
      ), dropped as (
        delete from task_parts using leader where task_id = leader.id and step = $3
      )
      select exists (select from leader) as is_led`,
    values: [lease.taskId, lease.leaseToken, step],
  });
  return rows[0]!.is_led;
}
