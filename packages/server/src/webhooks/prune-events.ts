import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

/** SQL for the time in which an event with its log can be looked at and sent again. */
const KEPT_SQL = `interval '30 days'`;

/**
 * Deletes old events, also those that waited all the time for a suspended account. @returns how
 * many.
 */
export function pruneEvents(db: Database): Promise<number> {
  const isOld = `created_at < now() - ${KEPT_SQL} and lease_token is null`;
  return deleteInBatches(db.pool, 'webhook_events', isOld);
}
