import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';

/**
 * Returns the parts of dead workers to the queue, which does not count as a failed attempt. Any
 * worker may run this at any time.
 * @param workersAreGone whether no worker is alive, so that all leases are void
 * @returns the number of returned parts
 */
export async function reapParts(db: Database, workersAreGone: boolean): Promise<number> {
  const { rows } = await db.pool.query<{ readonly lane: string }>({
    name: 'reap-parts',
    text: `with silent as (
        select task_id, step, position from task_parts
        where status = 'RUNNING' and ($1 or lease_until < clock_timestamp())
        for update skip locked
      )
      update task_parts set status = 'WAITING', lease_token = null, lease_until = null
      from silent
      where task_parts.task_id = silent.task_id and task_parts.step = silent.step
        and task_parts.position = silent.position
      returning lane`,
    values: [workersAreGone],
  });
  for (const lane of new Set(rows.map((row) => row.lane))) notifyInBackground(db.pool, 'guise_parts', lane);
  return rows.length;
}
