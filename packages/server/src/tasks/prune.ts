import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { ANSWER_LIFETIME_SQL } from './idempotency.ts';

export interface Pruned {
  readonly answers: number;
  readonly hiddenTasks: number;
}

/**
 * Deletes what no one can ask for any more: remembered answers past their day, hidden tasks long
 * finished.
 */
export async function pruneExpired(db: Database): Promise<Pruned> {
  const isOld = `created_at <= now() - ${ANSWER_LIFETIME_SQL}`;
  const answers = await deleteInBatches(db.pool, 'idempotency_keys', isOld);
  const isDone = `hidden and completed_at < now() - interval '1 hour'`;
  return { answers, hiddenTasks: await deleteInBatches(db.pool, 'tasks', isDone) };
}
