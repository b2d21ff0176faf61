import type { OperatorAction } from '@guise/contract/account/operator.ts';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';

export interface Operator {
  readonly id: string;
  readonly email: string;
}

export interface AuditEntry {
  readonly id: number;
  readonly operatorEmail: string;
  readonly action: OperatorAction;
  readonly accountId: string | null;
  readonly accountEmail: string | null;
  readonly details: Record<string, unknown>;
  readonly createdAt: Date;
}

/** Writes an entry in the transaction of the action itself, so that both are committed or none. */
export async function writeAudit(
  client: Transaction,
  operator: Operator,
  entry: {
    readonly action: OperatorAction;
    readonly account: { readonly id: string; readonly email: string } | null;
    readonly details: Record<string, unknown>;
  },
): Promise<void> {
  await client.query(
    `insert into operator_actions (operator_id, operator_email, action, account_id, account_email, details)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      operator.id,
      operator.email,
      entry.action,
      entry.account?.id ?? null,
      entry.account?.email ?? null,
      JSON.stringify(entry.details),
    ],
  );
}

/** Lists entries, newest first. @param before id of the last entry of the previous page. */
export async function listAudit(
  db: Database,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<AuditEntry[]> {
  const { rows } = await db.pool.query<AuditEntry>(
    `select id, operator_email as "operatorEmail", action, account_id as "accountId",
       account_email as "accountEmail", details, created_at as "createdAt"
     from operator_actions where $1::bigint is null or id < $1 order by id desc limit $2`,
    [before, limit],
  );
  return rows;
}
