import { PLANS, type Plan } from '@guise/contract/plans.ts';
import { createApiKey } from '@guise/server/accounts/api-keys.ts';
import { addAccount } from '@guise/server/accounts/create-account.ts';
import { findOwner } from '@guise/server/accounts/find-account.ts';
import { grantCredits } from '@guise/server/credits/grant-credits.ts';
import type { Database } from '@guise/server/db/database.ts';
import { inTransaction } from '@guise/server/db/transaction.ts';
import { COMMAND_LINE, writeAudit } from '@guise/server/operator/audit.ts';
import { printResult } from '../console/print.ts';
import { withDatabase } from '../setup/with-database.ts';

export interface CreateAccountOptions {
  readonly email: string;
  readonly plan: string;
  readonly credits: number;
  readonly name: string;
  readonly unverified?: true;
  readonly owner?: true;
  readonly json?: true;
}

interface AccountToMake {
  readonly email: string;
  readonly plan: Plan;
  readonly credits: number;
  readonly name?: string;
  readonly unverified?: boolean;
  readonly owner?: boolean;
}

interface MadeAccount {
  readonly accountId: string;
  readonly email: string;
  readonly plan: Plan;
  readonly credits: number;
  /** Shown only now. */
  readonly apiKey: string;
}

export async function createAccountCommand(options: CreateAccountOptions): Promise<void> {
  if (!(PLANS as readonly string[]).includes(options.plan)) {
    throw new Error(`The plan must be one of ${PLANS.join(', ')}.`);
  }
  if (options.credits < 0) throw new Error('The credits must be 0 or more.');
  const created = await withDatabase((db) => makeAccount(db, { ...options, plan: options.plan as Plan }));
  printResult(options, created, [
    `Account ${created.accountId} for ${created.email}: ${created.plan} plan, ${created.credits} credits.`,
    `API key, shown this once: ${created.apiKey}`,
  ]);
}

/** Creates an account with a key and credits, and writes to the audit log that it exists. */
export async function makeAccount(db: Database, options: AccountToMake): Promise<MadeAccount> {
  const { plan, credits } = options;
  const owner = options.owner ? await findOwner(db) : null;
  if (owner) throw new Error(`This installation has an owner: ${owner.email}.`);
  return inTransaction(db.pool, async (client) => {
    const role = options.owner ? 'owner' : 'user';
    const account = await addAccount(client, {
      email: options.email,
      name: options.name,
      role,
      plan,
      emailVerified: options.unverified !== true,
      startingCredits: 0,
    });
    // Credits are granted at once, even to an unverified account, because the operator chose the
    // account.
    if (credits > 0) await grantCredits(client, { accountId: account.id, credits, note: 'starting credits' });
    const key = await createApiKey(client, account.id, 'first key');
    const details = { plan, role, credits, verified: account.emailVerified };
    await writeAudit(client, COMMAND_LINE, account, { action: 'account.create', details });
    return { accountId: account.id, email: account.email, plan, credits, apiKey: key.secret };
  });
}
