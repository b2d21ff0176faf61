import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';

/** Largest number of open streams of one account, over all API processes. */
export const MAX_STREAMS = 10;

/** Time after its last sign of life at which a stream is considered dead. */
const STREAM_LIFETIME = "interval '30 s'";

/** Place of an open stream among those of its account. */
export interface StreamSlot {
  readonly id: string;
  /** Time at which it was taken, by the clock of the database. */
  readonly takenAt: Date;
}

/** Takes a stream slot. @returns null if the account has the maximum number of streams. */
export function takeStreamSlot(db: Database, accountId: string): Promise<StreamSlot | null> {
  return inTransaction(db.pool, async (client) => {
    // The lock prevents two concurrent requests from both taking the last slot.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [accountId]);
    await client.query(`delete from event_streams where seen_at < now() - ${STREAM_LIFETIME}`);
    const { rows } = await client.query<{ id: string; taken_at: Date }>(
      `insert into event_streams (account_id)
       select $1 where (select count(*) from event_streams where account_id = $1) < $2
       returning id, now() as taken_at`,
      [accountId, MAX_STREAMS],
    );
    return rows[0] === undefined ? null : { id: rows[0].id, takenAt: rows[0].taken_at };
  });
}

/** Records that streams are still open. Must be called more often than dead streams are deleted. */
export async function keepStreamSlots(db: Database, ids: readonly string[]): Promise<void> {
  await db.pool.query('update event_streams set seen_at = now() where id = any($1::uuid[])', [ids]);
}

export async function releaseStreamSlot(db: Database, id: string): Promise<void> {
  await db.pool.query('delete from event_streams where id = $1', [id]);
}
