import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';

/** Days after which an unverified account is deleted. */
export const UNVERIFIED_LIFETIME_DAYS = 7;

/** Largest number of accounts that one statement deletes. */
const BATCH_SIZE = 1000;

/**
 * SQL condition: the account `a` consists only of an email address. It is not verified, and no
 * operator has given it a key (`guise account create --unverified` makes one), credits, a
 * suspension or an audited action.
 */
const UNCLAIMED_SQL = `email_verified_at is null and role = 'user' and suspended_at is null
  and not exists (select 1 from api_keys k where k.account_id = a.id)
  and not exists (select 1 from credit_entries c where c.account_id = a.id)
  and not exists (select 1 from tasks t where t.account_id = a.id)
  and not exists (select 1 from objects o where o.account_id = a.id)
  and not exists (select 1 from operator_actions o where o.account_id = a.id)`;

/**
 * Deletes accounts that were unclaimed for a week and have no valid link, so that an address that
 * somebody else typed in does not stay. An invitation used by such an account can be used again.
 * @returns the number of deleted accounts
 */
export async function pruneUnverified(db: Database): Promise<number> {
  return inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from accounts a
       where ${UNCLAIMED_SQL} and created_at < now() - $1::float8 * interval '1 day'
         and not exists (select 1 from email_links l where l.account_id = a.id and l.expires_at > now())
       order by created_at limit $2
       for update of a skip locked`,
      [UNVERIFIED_LIFETIME_DAYS, BATCH_SIZE],
    );
    await deleteUnclaimed(client, rows);
    return rows.length;
  });
}

/**
 * Deletes unclaimed accounts of an address. For a person who has proved that they read its mail.
 */
export async function giveUpUnclaimed(client: Transaction, email: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from accounts a where ${UNCLAIMED_SQL} and email = $1 for update of a`,
    [email],
  );
  await deleteUnclaimed(client, rows);
}

async function deleteUnclaimed(client: Transaction, accounts: readonly { id: string }[]): Promise<void> {
  if (accounts.length === 0) return;
  const ids = accounts.map(({ id }) => id);
  await client.query('update invitations set used_at = null where account_id = any($1)', [ids]);
  await client.query('delete from accounts where id = any($1)', [ids]);
}
