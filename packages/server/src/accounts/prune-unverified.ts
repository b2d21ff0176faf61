import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';

export const UNVERIFIED_LIFETIME_DAYS = 7;
const BATCH_SIZE = 1000;

/**
 * Deletes accounts that nobody verified in a week, so that an address typed by somebody else does not stay. Never one
 * that an operator had a hand in: a key (those of `guise account create --unverified` have one), credits, a line of the
 * audit log. An invitation that such an account used may be used again.
 * @returns how many.
 */
export async function pruneUnverified(db: Database): Promise<number> {
  return inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from accounts a
       where email_verified_at is null and created_at < now() - $1::float8 * interval '1 day'
         and role = 'user' and suspended_at is null
         and not exists (select 1 from api_keys k where k.account_id = a.id)
         and not exists (select 1 from credit_entries c where c.account_id = a.id)
         and not exists (select 1 from tasks t where t.account_id = a.id)
         and not exists (select 1 from objects o where o.account_id = a.id)
         and not exists (select 1 from operator_actions o where o.account_id = a.id)
         and not exists (select 1 from email_links l where l.account_id = a.id and l.expires_at > now())
       order by created_at limit $2
       for update of a skip locked`,
      [UNVERIFIED_LIFETIME_DAYS, BATCH_SIZE],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await client.query('update invitations set used_at = null where account_id = any($1)', [ids]);
    await client.query('delete from accounts where id = any($1)', [ids]);
    return ids.length;
  });
}
