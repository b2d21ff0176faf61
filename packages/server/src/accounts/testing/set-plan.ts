import type { Plan } from '@guise/contract/plans.ts';
import type { Database } from '../../db/database.ts';

/** Changes the plan from the account's next request on. @returns whether the account exists. */
export async function setPlan(db: Database, accountId: string, plan: Plan): Promise<boolean> {
  const { rowCount } = await db.pool.query('update accounts set plan = $2 where id = $1', [accountId, plan]);
  return rowCount === 1;
}
