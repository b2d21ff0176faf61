import type { Database } from '../db/database.ts';
import { ANSWER_LIFETIME_SQL } from './idempotency.ts';
import { pruneParts } from './delete-parts.ts';

export interface Pruned {
  readonly answers: number;
  readonly parts: number;
  readonly hiddenTasks: number;
}

/**
 * Deletes what no one can ask for any more: remembered answers past their day, hidden tasks long
 * finished.
 */
export async function pruneExpired(db: Database): Promise<Pruned> {
  const answers = await db.pool.query(
    `delete from idempotency_keys where created_at <= now() - ${ANSWER_LIFETIME_SQL}`,
  );
  const parts = await pruneParts(db);
  const hidden = await db.pool.query(
    `delete from tasks where hidden and completed_at < now() - interval '1 hour'`,
  );
  return { answers: answers.rowCount ?? 0, parts, hiddenTasks: hidden.rowCount ?? 0 };
}
