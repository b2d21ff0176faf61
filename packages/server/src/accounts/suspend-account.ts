import type { Database } from '../db/database.ts';

/**
 * A suspended account's keys answer as if they did not exist; its tasks run on. @returns whether it
 * exists.
 */
export async function setSuspended(db: Database, accountId: string, suspended: boolean): Promise<boolean> {
  const result = await db.kysely
    .updateTable('accounts')
    .set({ suspended_at: suspended ? new Date() : null })
    .where('id', '=', accountId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
