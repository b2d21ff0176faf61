import type { OperatorAction } from '@guise/contract/account/operator.ts';
import type { Database, Queryable } from '../db/database.ts';

/** Who changes something: an owner on the dashboard, or the command line, which has no account. */
export interface Operator {
  readonly id: string | null;
  readonly email: string;
}

/** Somebody who runs `guise` on a machine of the installation. */
export const COMMAND_LINE: Operator = { id: null, email: 'command line' };

/** Writes to the audit log what was done, in the transaction of the caller. */
export type LogAction = (action: OperatorAction, details: Record<string, unknown>) => Promise<void>;

export interface AuditedAction {
  readonly action: OperatorAction;
  readonly details: Record<string, unknown>;
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

/**
 * Writes an entry. In the transaction of the action itself, both are committed or none.
 * @param account null for an action that concerns no account
 */
export async function writeAudit(
  db: Queryable,
  operator: Operator,
  account: { readonly id: string; readonly email: string } | null,
  { action, details }: AuditedAction,
): Promise<void> {
  await db.query(
    `insert into operator_actions (operator_id, operator_email, action, account_id, account_email, details)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      operator.id,
      operator.email,
      action,
      account?.id ?? null,
      account?.email ?? null,
      JSON.stringify(details),
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
