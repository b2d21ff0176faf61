import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction } from '../db/transaction.ts';
import { endTask, type EndOptions } from './end-task.ts';
import type { TaskAddress } from './get-task.ts';
import { lockAddressedTask } from './lock-task.ts';
import { toTask } from './task-row.ts';
import type { Task } from './task.ts';

/**
 * Cancels a task for its client, at once, even if a worker is working on it: the worker's result is
 * then ignored. Cancelling again changes nothing.
 * @returns the cancelled task; null where `getTask` would give null.
 * @throws AppError TASK_FINISHED if the task is COMPLETED or FAILED.
 */
export async function cancelTask(
  db: Database,
  address: TaskAddress,
  options: EndOptions,
): Promise<Task | null> {
  const outcome = await inTransaction(db.pool, async (client) => {
    const before = await lockAddressedTask(client, address);
    if (before === null) return null;
    if (before.status === 'CANCELLED') return { row: before, changed: false };
    if (before.status === 'COMPLETED' || before.status === 'FAILED') {
      throw new AppError('TASK_FINISHED', `The task is ${before.status} and can no longer be cancelled.`);
    }
    const row = await endTask(client, before, { status: 'CANCELLED' }, options);
    // The row is locked, so no other transaction can have ended the task.
    if (row === null) throw new Error(`task ${before.id} changed while it was locked`);
    return { row, changed: true };
  });
  if (outcome === null) return null;
  if (outcome.changed) {
    notifyInBackground(db.pool, 'guise_cancelled', outcome.row.id);
    notifyInBackground(db.pool, 'guise_finished', outcome.row.id);
    options.onEnded?.(outcome.row.id);
  }
  return toTask(outcome.row);
}
