import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction } from '../db/transaction.ts';

/**
 * Deletes an account with its keys, sessions, tasks and ledger; its media are due at once and go with the next sweep.
 * Tasks under way are stopped. @throws AppError FORBIDDEN for the only owner of this installation.
 */
export async function deleteAccount(db: Database, accountId: string): Promise<void> {
  const running = await inTransaction(db.pool, async (client) => {
    // Owners in one order, so that two of them who leave at once do not both find the other. The account's own row
    // waits for whoever is registering a file for it, and refuses all after.
    const owners = await client.query<{ id: string }>(
      `select id from accounts where role = 'owner' or id = $1 order by id for update`,
      [accountId],
    );
    const own = await client.query<{ role: string }>('select role from accounts where id = $1', [accountId]);
    if (own.rows[0] === undefined) return [];
    if (own.rows[0].role === 'owner' && owners.rows.length === 1) {
      throw new AppError('FORBIDDEN', 'The only owner of this service cannot be deleted.');
    }
    await client.query('update objects set delete_after = now() where account_id = $1', [accountId]);
    await client.query('update operator_actions set account_email = null where account_id = $1', [accountId]);
    const { rows } = await client.query<{ id: string }>(
      `select id from tasks where account_id = $1 and status = 'PROCESSING'`,
      [accountId],
    );
    await client.query('delete from accounts where id = $1', [accountId]);
    return rows.map(({ id }) => id);
  });
  for (const id of running) notifyInBackground(db.pool, 'guise_cancelled', id);
}
