import type { Transaction } from '../db/transaction.ts';

/**
 * Locks an account's row, and not as a key, because links and places refer to it. What changes an
 * account's password or links does this first, so that two of them wait for each other in one
 * order.
 */
export async function lockAccount(client: Transaction, accountId: string): Promise<void> {
  await client.query('select 1 from accounts where id = $1 for no key update', [accountId]);
}
