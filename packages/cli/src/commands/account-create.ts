import { PLANS, type Plan } from '@guise/contract/plans.ts';
import { createApiKey } from '@guise/server/accounts/api-keys.ts';
import { createAccount } from '@guise/server/accounts/create-account.ts';
import { findOwner } from '@guise/server/accounts/find-account.ts';
import { adjustCredits } from '@guise/server/credits/adjust-credits.ts';
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

export async function createAccountCommand(options: CreateAccountOptions): Promise<void> {
  if (!(PLANS as readonly string[]).includes(options.plan)) {
    throw new Error(`The plan must be one of ${PLANS.join(', ')}.`);
  }
  if (options.credits < 0) throw new Error('The credits must be 0 or more.');
  const plan = options.plan as Plan;
  const created = await withDatabase(async (db) => {
    const owner = options.owner ? await findOwner(db) : null;
    if (owner) throw new Error(`This installation has an owner: ${owner.email}.`);
    const account = await createAccount(db, {
      email: options.email,
      name: options.name,
      role: options.owner ? 'owner' : 'user',
      plan,
      emailVerified: options.unverified !== true,
      startingCredits: 0,
    });
    // Credits are granted at once, even to an unverified account, because the operator chose the
    // account.
    const balance =
      options.credits === 0
        ? { available: 0 }
        : await adjustCredits(db, {
            accountId: account.id,
            credits: options.credits,
            note: 'starting credits',
          });
    const key = await createApiKey(db, account.id, 'first key');
    return {
      accountId: account.id,
      email: account.email,
      plan,
      credits: balance.available,
      apiKey: key.secret,
    };
  });
  printResult(options, created, [
    `Account ${created.accountId} for ${created.email}: ${plan} plan, ${created.credits} credits.`,
    `API key, shown this once: ${created.apiKey}`,
  ]);
}
