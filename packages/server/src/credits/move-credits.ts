import type { Transaction } from '../db/transaction.ts';

export interface Balance {
  readonly available: number;
  readonly held: number;
}

export interface CreditMovement {
  readonly accountId: string;
  readonly taskId: string | null;
  readonly kind: 'grant' | 'hold' | 'capture' | 'release' | 'adjust';
  readonly availableChange: number;
  readonly heldChange: number;
  readonly note?: string;
}

/**
 * Changes a balance and adds the matching ledger row, in one statement in the caller's transaction.
 * Balances must only be changed by this function.
 * @returns the new balance; null if a balance would become negative, or the account does not exist.
 */
export async function moveCredits(client: Transaction, movement: CreditMovement): Promise<Balance | null> {
  const { rows } = await client.query<Balance>({
    name: 'move-credits',
    text: `with moved as (
        update accounts
        set credits_available = credits_available + $4, credits_held = credits_held + $5
        where id = $1 and credits_available + $4 >= 0 and credits_held + $5 >= 0
        returning credits_available, credits_held
      ), entry as (
        insert into credit_entries
          (account_id, task_id, kind, available_change, held_change, available_after, held_after, note)
        select $1, $2, $3, $4, $5, credits_available, credits_held, $6 from moved
      )
      select credits_available as available, credits_held as held from moved`,
    values: [
      movement.accountId,
      movement.taskId,
      movement.kind,
      movement.availableChange,
      movement.heldChange,
      movement.note ?? '',
    ],
  });
  return rows[0] ?? null;
}
