import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Lease, lockLeasedTask } from './lock-task.ts';
import type { TaskResult } from './task.ts';
import { transition } from './transition.ts';

/**
 * Puts a task behind all other tasks in its lane, after a slice of its work.
 * @param result state for the next slice
 * @returns false if the task did not belong to this worker any more
 */
export async function yieldTask(db: Database, lease: Lease, result: TaskResult): Promise<boolean> {
  const row = await inTransaction(db.pool, async (client) => {
    const before = await lockLeasedTask(client, lease);
    if (before === null) return null;
    const after = await transition(client, before, { to: 'PENDING', result });
    if (after === null) return null;
    await client.query({
      name: 'queue-behind-others',
      text: `update tasks set start_tag = greatest(start_tag, (
          select max(start_tag) from tasks as others
          where others.status = 'PENDING' and others.lane = tasks.lane and others.id <> tasks.id)) + 1
        where id = $1`,
      values: [lease.taskId],
    });
    return after;
  });
  if (row === null) return false;
  notifyInBackground(db.pool, 'guise_pending', row.lane);
  return true;
}
