import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Balance, moveCredits } from './move-credits.ts';

export interface Adjustment {
  readonly accountId: string;
  /** Credits to add; a negative number removes credits. Never 0. */
  readonly credits: number;
  readonly note: string;
}

/**
 * Adds or removes credits for an operator.
 * @throws AppError INVALID_REQUEST if the number is not whole, is 0 or removes more than is
 * available.
 */
export async function adjustCredits(db: Database, adjustment: Adjustment): Promise<Balance> {
  const { accountId, credits, note } = adjustment;
  if (!Number.isSafeInteger(credits) || credits === 0) {
    throw new AppError('INVALID_REQUEST', 'credits must be a whole number other than 0.');
  }
  const balance = await inTransaction(db.pool, (client) =>
    moveCredits(client, {
      accountId,
      taskId: null,
      kind: credits > 0 ? 'grant' : 'adjust',
      availableChange: credits,
      heldChange: 0,
      note,
    }),
  );
  if (balance === null) {
    throw new AppError('INVALID_REQUEST', `The account does not have ${-credits} credits to take away.`);
  }
  return balance;
}
