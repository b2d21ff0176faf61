import { isIPv6 } from 'node:net';
import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';

/** At most `limit` attempts in a window that starts with the first one. */
export interface Throttle {
  readonly bucket: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

const MINUTES = 60;
const LONGEST_WINDOW_SECONDS = 60 * MINUTES;

/**
 * By address against one who tries many accounts; by email and address together against one who tries many passwords;
 * by email alone, wider, against many addresses: a stranger must not lock a person out cheaply.
 */
export function signInThrottles(address: string, email: string): Throttle[] {
  const from = networkOf(address);
  return [
    { bucket: 'sign-in:address', subject: from, limit: 50, windowSeconds: 15 * MINUTES },
    { bucket: 'sign-in:pair', subject: `${email} ${from}`, limit: 10, windowSeconds: 15 * MINUTES },
    { bucket: 'sign-in:email', subject: email, limit: 100, windowSeconds: 60 * MINUTES },
  ];
}

/** Of everything that sends mail, or costs a password hash for a stranger. */
export function mailThrottles(address: string, email: string): Throttle[] {
  return [
    { bucket: 'mail:address', subject: networkOf(address), limit: 20, windowSeconds: 60 * MINUTES },
    { bucket: 'mail:email', subject: email, limit: 5, windowSeconds: 60 * MINUTES },
  ];
}

/** Of answers to links: their tokens cannot be guessed, but each try costs a query or a hash. */
export function tokenThrottles(address: string): Throttle[] {
  return [{ bucket: 'token:address', subject: networkOf(address), limit: 60, windowSeconds: 15 * MINUTES }];
}

/** Password checks of somebody signed in: a stolen session must not guess the password. */
export function passwordThrottles(accountId: string): Throttle[] {
  return [{ bucket: 'password', subject: accountId, limit: 10, windowSeconds: 15 * MINUTES }];
}

const OWN_LIMITS = {
  key: { limit: 60, windowSeconds: 60 * MINUTES },
  'access-token': { limit: 300, windowSeconds: 15 * MINUTES },
  'webhook-resend': { limit: 120, windowSeconds: 60 * MINUTES },
} as const;

/** Of what leaves a row behind each time, or knocks at somebody's server: a person comes nowhere near. */
export function ownThrottles(bucket: keyof typeof OWN_LIMITS, accountId: string): Throttle[] {
  return [{ bucket, subject: accountId, ...OWN_LIMITS[bucket] }];
}

/**
 * Counts an attempt in each; exact over all processes, because the count and its check are one row lock.
 * @throws AppError RATE_LIMITED with the seconds until the fullest window ends; a refused attempt counts in none
 * after the one that refused it.
 */
export async function countAttempt(db: Database, throttles: readonly Throttle[]): Promise<void> {
  for (const { bucket, subject, limit, windowSeconds } of throttles) {
    const { rows } = await db.pool.query<{ seconds: number }>({
      name: 'count-attempt',
      text: `insert into sign_in_attempts as a (bucket, subject, started_at, attempts) values ($1, $2, now(), 1)
        on conflict (bucket, subject) do update set
          started_at = case when a.started_at <= now() - $4::float8 * interval '1 s' then now() else a.started_at end,
          attempts = case when a.started_at <= now() - $4::float8 * interval '1 s' then 1 else a.attempts + 1 end
        where a.started_at <= now() - $4::float8 * interval '1 s' or a.attempts < $3
        returning 1`,
      values: [bucket, subject, limit, windowSeconds],
    });
    if (rows.length === 1) continue;
    const window = await db.pool.query<{ seconds: number }>(
      `select extract(epoch from started_at - now())::float8 + $3 as seconds
       from sign_in_attempts where bucket = $1 and subject = $2`,
      [bucket, subject, windowSeconds],
    );
    const resetSeconds = Math.max(1, Math.ceil(window.rows[0]?.seconds ?? 1));
    throw new AppError('RATE_LIMITED', `Too many attempts; try again in ${resetSeconds} seconds.`, {
      limit,
      resetSeconds,
    });
  }
}

/** After a success: the next mistake is a first one again. */
export async function forgetAttempts(db: Database, throttles: readonly Throttle[]): Promise<void> {
  for (const { bucket, subject } of throttles) {
    await db.pool.query('delete from sign_in_attempts where bucket = $1 and subject = $2', [bucket, subject]);
  }
}

/** Deletes what can refuse nobody any more: old windows, sessions and links that ended. */
export async function pruneSignIn(db: Database): Promise<void> {
  await db.pool.query(
    `delete from sign_in_attempts where started_at <= now() - $1::float8 * interval '1 s'`,
    [LONGEST_WINDOW_SECONDS],
  );
  await db.pool.query('delete from sessions where expires_at <= now()');
  await db.pool.query('delete from email_links where expires_at <= now()');
  await db.pool.query('delete from api_keys where session_id is not null and expires_at <= now()');
}

/** Whoever has one IPv6 address has 2^64 of them. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail = ''] = address.split('%')[0]!.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
