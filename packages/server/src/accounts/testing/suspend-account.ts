import type { Database } from '../../db/database.ts';

/**
 * Suspends an account or ends its suspension. The keys of a suspended account are treated as
 * unknown, but its tasks continue.
 * @returns whether the account exists.
 */
export async function setSuspended(db: Database, accountId: string, suspended: boolean): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    'update accounts set suspended_at = case when $2 then now() end where id = $1',
    [accountId, suspended],
  );
  return rowCount === 1;
}
