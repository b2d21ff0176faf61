import { grantCredits } from '../credits/grant-credits.ts';
import type { Transaction } from '../db/transaction.ts';

/**
 * Marks the account's email as verified and grants the starting credits, in the caller's
 * transaction. Repeated calls have no effect.
 * @returns whether this call verified the email.
 */
export async function markVerified(
  client: Transaction,
  accountId: string,
  startingCredits: number,
): Promise<boolean> {
  const verified = await client.query(
    'update accounts set email_verified_at = now() where id = $1 and email_verified_at is null',
    [accountId],
  );
  if (verified.rowCount !== 1) return false;
  if (startingCredits > 0) {
    await grantCredits(client, { accountId, credits: startingCredits, note: 'starting credits' });
  }
  return true;
}
