import assert from 'node:assert/strict';
import type { Transaction } from '../db/transaction.ts';
import { moveCredits } from './move-credits.ts';

export interface Settlement {
  readonly accountId: string;
  readonly taskId: string;
  /** Credits that were held when the task was created. */
  readonly held: number;
  /** Credits kept for the delivered outputs, 0 to `held`. The rest is released. */
  readonly captured: number;
}

/** Settles a task's held credits in the transaction that ends the task. */
export async function settleCredits(client: Transaction, settlement: Settlement): Promise<void> {
  const { accountId, taskId, held, captured } = settlement;
  assert(captured >= 0 && captured <= held, `captured ${captured} of ${held} held`);
  const released = held - captured;
  const moves = [
    { kind: 'capture', availableChange: 0, heldChange: -captured },
    { kind: 'release', availableChange: released, heldChange: -released },
  ] as const;
  for (const move of moves.filter(({ heldChange }) => heldChange < 0)) {
    const balance = await moveCredits(client, { accountId, taskId, ...move });
    assert(balance !== null, `account ${accountId} holds less than its tasks do`);
  }
}
