import type { AccountBody } from '@guise/contract/account/own.ts';
import type { Account } from '../../accounts/account.ts';

/** Presents an account as its owner and operators see it. */
export function presentAccount(account: Account): AccountBody {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    role: account.role,
    plan: account.plan,
    credits: { available: account.creditsAvailable, held: account.creditsHeld },
    emailVerified: account.emailVerified,
    createdAt: account.createdAt.toISOString(),
  };
}
