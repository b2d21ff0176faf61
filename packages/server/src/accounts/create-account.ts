import { AppError } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import { grantCredits } from '../credits/grant-credits.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { ACCOUNT_COLUMNS, type Account, type AccountRole } from './account.ts';
import { normaliseEmail } from './email.ts';
import { newWebhookSecret } from './webhook-secret.ts';

export interface NewAccount {
  readonly email: string;
  readonly name?: string;
  readonly role?: AccountRole;
  readonly plan: Plan;
  readonly emailVerified: boolean;
  /**
   * Credits that are granted now if the email is verified, and otherwise later by `markVerified`.
   */
  readonly startingCredits: number;
}

/**
 * Creates an account. @throws AppError INVALID_REQUEST if the email is not a valid address or
 * already has an account.
 */
export async function createAccount(db: Database, account: NewAccount): Promise<Account> {
  return inTransaction(db.pool, (client) => addAccount(client, account));
}

/** Like `createAccount`, in the caller's transaction. */
export async function addAccount(client: Transaction, account: NewAccount): Promise<Account> {
  const made = await insertAccount(client, account);
  if (made === null) {
    throw new AppError('INVALID_REQUEST', `An account for ${normaliseEmail(account.email)} exists already.`);
  }
  return made;
}

/**
 * Inserts an account. @returns null if the address already has one.
 * @throws AppError INVALID_REQUEST if the email is not a valid address.
 */
export async function insertAccount(client: Transaction, account: NewAccount): Promise<Account | null> {
  const inserted = await client.query<Account>(
    `insert into accounts (email, name, role, plan, email_verified_at, webhook_secret)
     values ($1, $2, $3, $4, case when $5 then now() end, $6)
     on conflict (email) do nothing
     returning ${ACCOUNT_COLUMNS}`,
    [
      normaliseEmail(account.email),
      account.name ?? '',
      account.role ?? 'user',
      account.plan,
      account.emailVerified,
      newWebhookSecret(),
    ],
  );
  const created = inserted.rows[0];
  if (created === undefined) return null;
  if (!account.emailVerified || account.startingCredits === 0) return created;
  const balance = await grantCredits(client, {
    accountId: created.id,
    credits: account.startingCredits,
    note: 'starting credits',
  });
  return { ...created, creditsAvailable: balance.available };
}
