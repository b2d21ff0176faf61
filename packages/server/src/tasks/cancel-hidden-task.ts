import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction } from '../db/transaction.ts';
import { endTask } from './end-task.ts';
import { TASK_COLUMNS, type TaskRow } from './task-row.ts';

/**
 * Cancels a hidden task whose result the API has stopped waiting for, so that no worker does it and
 * its uploads are deleted at once. Does nothing if the task has ended.
 */
export async function cancelHiddenTask(db: Database, taskId: string): Promise<void> {
  const cancelled = await inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<TaskRow>({
      name: 'lock-hidden-task',
      text: `select ${TASK_COLUMNS.join(', ')} from tasks
        where id = $1 and hidden and status in ('PENDING', 'PROCESSING') for update`,
      values: [taskId],
    });
    if (rows[0] === undefined) return false;
    await endTask(client, rows[0], { status: 'CANCELLED' }, { inputRetentionMs: 0 });
    return true;
  });
  if (cancelled) notifyInBackground(db.pool, 'guise_cancelled', taskId);
}
