import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction } from '../db/transaction.ts';
import { endTask, type EndOptions, type Ending } from './end-task.ts';
import { type Lease, lockLeasedTask } from './lock-task.ts';
import { mayHaveParts } from './delete-parts.ts';
import { toTask, workOf } from './task-row.ts';
import type { Task } from './task.ts';

export type Outcome = Exclude<Ending, { readonly status: 'CANCELLED' }>;

/**
 * Ends a task with the worker's outcome: status, credits and files in one transaction. Only the
 * holder of the lease can do this, and only once. Sets `result.receipt.credits` to the captured
 * credits.
 * @returns null if the task was cancelled, has ended or was given to another worker; the caller
 * must delete
 *   its outputs then.
 */
export async function finishTask(
  db: Database,
  lease: Lease,
  outcome: Outcome,
  options: EndOptions,
): Promise<Task | null> {
  const ended = await inTransaction(db.pool, async (client) => {
    const before = await lockLeasedTask(client, lease);
    return before === null ? null : endTask(client, before, outcome, options);
  });
  if (ended === null) return null;
  notifyInBackground(db.pool, 'guise_finished', ended.id);
  // Other workers may still be working on some parts.
  if (ended.status === 'FAILED' && mayHaveParts(workOf(ended))) {
    notifyInBackground(db.pool, 'guise_cancelled', ended.id);
  }
  options.onEnded?.(ended.id);
  return toTask(ended);
}
