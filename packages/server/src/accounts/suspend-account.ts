import type { Database } from '../db/database.ts';

/**
 * Suspends an account or ends its suspension: its keys answer as if they did not exist, and its
 * tasks run on.
 * @returns whether the account exists.
 */
export async function setSuspended(db: Database, accountId: string, suspended: boolean): Promise<boolean> {
  const result = await db.kysely
    .updateTable('accounts')
    .set({ suspended_at: suspended ? new Date() : null })
    .where('id', '=', accountId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
