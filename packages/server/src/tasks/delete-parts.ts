import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { WorkSpec } from './task.ts';

/** Returns whether tasks with this work may have parts. */
export function mayHaveParts({ kind }: WorkSpec): boolean {
  return kind === 'swap-batch' || kind === 'swap-video';
}

/**
 * Deletes the parts of a task in the transaction that ends the task. Workers that still work on a
 * part find out by the notification of the end, or at the next heartbeat.
 */
export async function deleteParts(client: Transaction, taskId: string): Promise<void> {
  await client.query({
    name: 'delete-parts',
    text: 'delete from task_parts where task_id = $1',
    values: [taskId],
  });
}

/**
 * Deletes parts of tasks that were ended by an older worker version that did not know parts. No
 * worker claims such parts.
 * @returns the number of deleted parts
 */
export async function pruneParts(db: Database): Promise<number> {
  const { rowCount } = await db.pool.query(
    `delete from task_parts using tasks
     where tasks.id = task_parts.task_id and tasks.status in ('COMPLETED', 'FAILED', 'CANCELLED')`,
  );
  return rowCount ?? 0;
}
