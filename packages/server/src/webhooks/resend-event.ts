import type { Queryable } from '../db/database.ts';

/**
 * Sends an event again in a new round of attempts, with the same id and bytes, so that a receiver
 * can recognise it. A running attempt is not disturbed.
 * @param eventId UUID of the event.
 * @returns whether the account has such an event.
 */
export async function resendEvent(db: Queryable, accountId: string, eventId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_events set
       status = 'pending',
       failures = case when lease_token is null then 0 else failures end,
       next_attempt_at = case when lease_token is null then now() else next_attempt_at end
     where id = $1 and account_id = $2`,
    [eventId, accountId],
  );
  return rowCount === 1;
}
