import type { Database } from '../db/database.ts';

export interface CreditEntry {
  readonly id: number;
  readonly kind: 'grant' | 'hold' | 'capture' | 'release' | 'adjust';
  readonly availableChange: number;
  readonly heldChange: number;
  readonly availableAfter: number;
  readonly heldAfter: number;
  readonly taskId: string | null;
  readonly note: string;
  readonly createdAt: Date;
}

/**
 * Lists a page of an account's ledger, newest first. @param before id of the last entry of the
 * previous page.
 */
export async function listCreditEntries(
  db: Database,
  accountId: string,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<CreditEntry[]> {
  const { rows } = await db.pool.query<CreditEntry>(
    `select id, kind, available_change as "availableChange", held_change as "heldChange",
       available_after as "availableAfter", held_after as "heldAfter", task_id as "taskId", note,
       created_at as "createdAt"
     from credit_entries where account_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [accountId, before, limit],
  );
  return rows;
}
