import type { Plan } from '@guise/contract/plans.ts';

export type AccountRole = 'owner' | 'user';

export interface Account {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  readonly role: AccountRole;
  readonly plan: Plan;
  /** Credits that can be spent now. */
  readonly creditsAvailable: number;
  /** Credits held by unfinished tasks. */
  readonly creditsHeld: number;
  readonly suspended: boolean;
  readonly createdAt: Date;
}

/** Columns of `accounts` that make an `Account`. */
export const ACCOUNT_COLUMNS = `id, email, name, email_verified_at is not null as "emailVerified", role, plan,
  credits_available as "creditsAvailable", credits_held as "creditsHeld",
  suspended_at is not null as suspended, created_at as "createdAt"`;
