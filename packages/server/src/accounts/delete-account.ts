import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';

/**
 * Deletes an account with its keys, sessions, tasks and ledger. Its media are deleted by the next
 * sweep, and its running tasks are stopped. Actions of operators stay in the audit log, without the
 * email address.
 * @throws AppError FORBIDDEN for the only owner of this installation.
 */
export async function deleteAccount(db: Database, accountId: string): Promise<void> {
  const running = await inTransaction(db.pool, async (client) => {
    // All owners are locked in the same order, so that two owners who leave at once do not each
    // count the other. The lock of the account's row also waits for files being registered, and
    // prevents later ones.
    const owners = await client.query<{ id: string }>(
      `select id from accounts where role = 'owner' or id = $1 order by id for update`,
      [accountId],
    );
    const { rows: own } = await client.query<{ role: string; email: string }>(
      'select role, email from accounts where id = $1',
      [accountId],
    );
    if (own[0] === undefined) return [];
    if (own[0].role === 'owner' && owners.rows.length === 1) {
      throw new AppError('FORBIDDEN', 'The only owner of this service cannot be deleted.');
    }
    await client.query('update objects set delete_after = now() where account_id = $1', [accountId]);
    await forgetAddress(client, accountId, own[0].email);
    const { rows } = await client.query<{ id: string }>(
      `select id from tasks where account_id = $1 and status = 'PROCESSING'`,
      [accountId],
    );
    await client.query('delete from accounts where id = $1', [accountId]);
    return rows.map(({ id }) => id);
  });
  for (const id of running) notifyInBackground(db.pool, 'guise_cancelled', id);
}

/** Removes the address from invitations and the audit log. */
async function forgetAddress(client: Transaction, accountId: string, email: string): Promise<void> {
  await client.query(
    `with invited as (delete from invitations where account_id = $1 or email = $2 returning id::text)
     update operator_actions set details = details - 'email'
     where action in ('invitation.create', 'invitation.revoke')
       and (details->>'email' = $2 or details->>'id' in (select id from invited))`,
    [accountId, email],
  );
  await client.query(
    `update operator_actions set
       account_email = case when account_id = $1 then null else account_email end,
       operator_email = case when operator_id = $1 then 'deleted-' || left($1::text, 8) else operator_email end
     where account_id = $1 or operator_id = $1`,
    [accountId],
  );
}
