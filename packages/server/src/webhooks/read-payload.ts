import type { Database } from '../db/database.ts';

/**
 * Reads the body that an event's attempts send. `payload` is null before the first attempt.
 * @param eventId UUID of the event.
 * @returns null if the account has no such event.
 */
export async function readPayload(
  db: Database,
  accountId: string,
  eventId: string,
): Promise<{ readonly payload: string | null } | null> {
  const { rows } = await db.pool.query<{ payload: string | null }>(
    'select body as payload from webhook_events where id = $1 and account_id = $2',
    [eventId, accountId],
  );
  return rows[0] ?? null;
}
