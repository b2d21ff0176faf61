import type { Database } from '../db/database.ts';

/** SQL for the time in which an event with its log can be looked at and sent again. */
const KEPT_SQL = `interval '30 days'`;

/**
 * Deletes old events, also those that waited all the time for a suspended account. @returns how
 * many.
 */
export async function pruneEvents(db: Database): Promise<number> {
  const { rowCount } = await db.pool.query(
    `delete from webhook_events where created_at < now() - ${KEPT_SQL} and lease_token is null`,
  );
  return rowCount ?? 0;
}
