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
 * Lists a page of an account's ledger, newest first.
 * @param before id of the last entry of the previous page
 * @param isByTask whether each task has one entry, the one that says what it cost: without the hold
 * of a task that has ended, and without what a partly delivered task gave back
 */
export async function listCreditEntries(
  db: Database,
  accountId: string,
  {
    before,
    limit,
    isByTask,
  }: { readonly before?: number; readonly limit: number; readonly isByTask: boolean },
): Promise<CreditEntry[]> {
  const { rows } = await db.pool.query<CreditEntry>(
    `select id, kind, available_change as "availableChange", held_change as "heldChange",
       available_after as "availableAfter", held_after as "heldAfter", task_id as "taskId", note,
       created_at as "createdAt"
     from credit_entries entry where account_id = $1 and ($2::bigint is null or id < $2)
       and not ($4 and exists (select from credit_entries other where other.task_id = entry.task_id
         and (entry.kind = 'hold' and other.kind in ('capture', 'release')
           or entry.kind = 'release' and other.kind = 'capture')))
     order by id desc limit $3`,
    [accountId, before, limit, isByTask],
  );
  return rows;
}
