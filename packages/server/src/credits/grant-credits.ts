import assert from 'node:assert/strict';
import type { Transaction } from '../db/transaction.ts';
import { type Balance, moveCredits } from './move-credits.ts';

export interface Grant {
  readonly accountId: string;
  /** Positive. */
  readonly credits: number;
  readonly note: string;
}

/** Grants credits in the caller's transaction. @throws if the account does not exist. */
export async function grantCredits(client: Transaction, grant: Grant): Promise<Balance> {
  assert(Number.isSafeInteger(grant.credits) && grant.credits > 0);
  const balance = await moveCredits(client, {
    accountId: grant.accountId,
    taskId: null,
    kind: 'grant',
    availableChange: grant.credits,
    heldChange: 0,
    note: grant.note,
  });
  if (balance === null) throw new Error(`account ${grant.accountId} does not exist`);
  return balance;
}
