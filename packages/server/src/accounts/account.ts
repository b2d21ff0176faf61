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

/** Row of `accounts` with the columns that `toAccount` reads. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly email_verified_at: Date | null;
  readonly role: string;
  readonly plan: string;
  readonly credits_available: number;
  readonly credits_held: number;
  readonly suspended_at: Date | null;
  readonly created_at: Date;
}

/** Columns of `accounts` that an `AccountRow` holds. */
export const ACCOUNT_COLUMNS = [
  'id',
  'email',
  'name',
  'email_verified_at',
  'role',
  'plan',
  'credits_available',
  'credits_held',
  'suspended_at',
  'created_at',
] as const;

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    emailVerified: row.email_verified_at !== null,
    role: row.role as AccountRole,
    plan: row.plan as Plan,
    creditsAvailable: row.credits_available,
    creditsHeld: row.credits_held,
    suspended: row.suspended_at !== null,
    createdAt: row.created_at,
  };
}
