import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { WorkSpec } from './task.ts';

/** Returns whether tasks of this order may have parts. */
export function mayHaveParts({ kind }: WorkSpec): boolean {
  return kind === 'swap-batch' || kind === 'swap-video';
}

/**
 * Deletes the parts of a task that ends, within the transaction of its end. Whoever works on one
 * learns it by the notification of the end, or at the next heartbeat.
 */
export async function deleteParts(client: Transaction, taskId: string): Promise<void> {
  await client.query({
    name: 'delete-parts',
    text: 'delete from task_parts where task_id = $1',
    values: [taskId],
  });
}

/**
 * Deletes parts of tasks that a worker of a version without parts has ended; no claim takes them.
 * @returns how many
 */
export async function pruneParts(db: Database): Promise<number> {
  const { rowCount } = await db.pool.query(
    `delete from task_parts using tasks
     where tasks.id = task_parts.task_id and tasks.status in ('COMPLETED', 'FAILED', 'CANCELLED')`,
  );
  return rowCount ?? 0;
}
