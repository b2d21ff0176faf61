import type { Plan } from '@guise/contract/plans.ts';
import type { Database } from '../db/database.ts';

/** Holds from the account's next request on. @returns whether the account exists. */
export async function setPlan(db: Database, accountId: string, plan: Plan): Promise<boolean> {
  const result = await db.kysely
    .updateTable('accounts')
    .set({ plan })
    .where('id', '=', accountId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
