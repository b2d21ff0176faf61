import type { Transaction } from '../db/transaction.ts';

/**
 * Locks an account's row, but not its key, because links and places refer to it. All changes of an
 * account's password or links must call this first, so that they wait for each other in one order.
 */
export async function lockAccount(client: Transaction, accountId: string): Promise<void> {
  await client.query('select 1 from accounts where id = $1 for no key update', [accountId]);
}
