import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { ANSWER_LIFETIME_SQL } from './idempotency.ts';
import { pruneParts } from './delete-parts.ts';

export interface Pruned {
  readonly answers: number;
  readonly parts: number;
  readonly hiddenTasks: number;
}

/**
 * Deletes remembered answers that have expired, left-over parts, and hidden tasks that ended over
 * an hour ago.
 */
export async function pruneExpired(db: Database): Promise<Pruned> {
  const isOld = `created_at <= now() - ${ANSWER_LIFETIME_SQL}`;
  const answers = await deleteInBatches(db.pool, 'idempotency_keys', isOld);
  const parts = await pruneParts(db);
  const isDone = `hidden and completed_at < now() - interval '1 hour'`;
  return { answers, parts, hiddenTasks: await deleteInBatches(db.pool, 'tasks', isDone) };
}
