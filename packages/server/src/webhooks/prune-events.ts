import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

/** SQL for the time in which an event can be viewed and sent again. */
const KEPT_SQL = `interval '30 days'`;

/**
 * Deletes old events, including those that were waiting for a suspended account. @returns the
 * number of deleted events.
 */
export function pruneEvents(db: Database): Promise<number> {
  const isOld = `created_at < now() - ${KEPT_SQL} and lease_token is null`;
  return deleteInBatches(db.pool, 'webhook_events', isOld);
}
