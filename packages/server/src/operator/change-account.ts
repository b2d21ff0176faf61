import { AppError } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import { markVerified } from '../accounts/verify-email.ts';
import { type Balance, moveCredits } from '../credits/move-credits.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { type LogAction, type Operator, writeAudit } from './audit.ts';

/**
 * Changes the plan of an account and writes the audit log, in one transaction.
 * @throws AppError NOT_FOUND if there is no such account, like the other functions here.
 */
export async function changePlan(db: Database, operator: Operator, id: string, plan: Plan): Promise<void> {
  await onAccount(db, operator, id, async (client, log, account) => {
    await client.query('update accounts set plan = $2 where id = $1', [id, plan]);
    await log('plan.set', { from: account.plan, to: plan });
  });
}

/**
 * Adds credits to an account, or removes some if the number is negative.
 * @throws AppError INVALID_REQUEST if the number is not whole, is 0 or removes more than is
 *   available.
 */
export async function changeCredits(
  db: Database,
  operator: Operator,
  id: string,
  { credits, note }: { readonly credits: number; readonly note: string },
): Promise<Balance> {
  if (!Number.isSafeInteger(credits) || credits === 0)
    throw new AppError('INVALID_REQUEST', 'credits must be a whole number other than 0.');
  return onAccount(db, operator, id, async (client, log) => {
    const balance = await moveCredits(client, {
      accountId: id,
      taskId: null,
      kind: credits > 0 ? 'grant' : 'adjust',
      availableChange: credits,
      heldChange: 0,
      note: note || 'by the operator',
    });
    if (balance === null) {
      throw new AppError('INVALID_REQUEST', `The account does not have ${-credits} credits to take away.`);
    }
    await log('credits.change', { credits, note, availableAfter: balance.available });
    return balance;
  });
}

/**
 * Suspends an account and ends its sessions, or ends the suspension. @throws AppError FORBIDDEN for
 * the operator's own account.
 */
export async function changeSuspension(
  db: Database,
  operator: Operator,
  id: string,
  { suspended, note }: { readonly suspended: boolean; readonly note: string },
): Promise<void> {
  if (id === operator.id) throw new AppError('FORBIDDEN', 'You cannot suspend your own account.');
  await onAccount(db, operator, id, async (client, log) => {
    await client.query(
      'update accounts set suspended_at = case when $2 then coalesce(suspended_at, now()) end where id = $1',
      [id, suspended],
    );
    if (suspended) {
      await client.query('delete from sessions where account_id = $1', [id]);
      await client.query('delete from email_links where account_id = $1', [id]);
    }
    await log(suspended ? 'account.suspend' : 'account.resume', { note });
  });
}

/** Verifies an account and grants the starting credits. Repeated calls change and log nothing. */
export async function verifyAccount(
  db: Database,
  operator: Operator,
  id: string,
  startingCredits: number,
): Promise<void> {
  await onAccount(db, operator, id, async (client, log) => {
    if (await markVerified(client, id, startingCredits)) await log('account.verify', { startingCredits });
  });
}

interface LockedAccount {
  readonly id: string;
  readonly email: string;
  readonly plan: string;
}

/**
 * Locks an account and changes it, in one transaction.
 * @param change changes the account with `client`, and writes to the audit log with `log`
 * @returns what `change` returns
 * @throws AppError NOT_FOUND if there is no such account.
 */
export async function onAccount<T>(
  db: Database,
  operator: Operator,
  id: string,
  change: (client: Transaction, log: LogAction, account: LockedAccount) => Promise<T>,
): Promise<T> {
  return inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<LockedAccount>(
      'select id, email, plan from accounts where id = $1 for update',
      [id],
    );
    const account = rows[0];
    if (account === undefined) throw new AppError('NOT_FOUND', 'There is no such account.');
    return change(
      client,
      (action, details) => writeAudit(client, operator, account, { action, details }),
      account,
    );
  });
}
