import { AppError } from '@guise/contract/errors.ts';
import { PUBLIC_VERIFY_LIMITS } from '@guise/contract/limits.ts';
import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { type KnownPlace, pruneKnownPlaces } from './known-places.ts';
import { networksOf } from './networks.ts';

/** Limit of attempts in a window that begins with the first attempt. */
export interface Throttle {
  readonly bucket: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Seconds of a minute. */
const MINUTE_SECONDS = 60;

/** Longest window of all limits. Older counts are deleted. */
const LONGEST_WINDOW_SECONDS = 60 * MINUTE_SECONDS;

/** Attempt to sign in. */
export interface SignInTry {
  readonly address: string;
  readonly email: string;
  readonly place: KnownPlace | null;
}

/**
 * Lists the limits for an attempt to sign in. Strangers have the same limits whether or not the
 * account exists: a limit for unknown addresses alone would reveal which addresses have an account.
 */
export function signInThrottles({ address, email, place }: SignInTry): Throttle[] {
  const few = { limit: 10, windowSeconds: 15 * MINUTE_SECONDS };
  // A device has its own limit everywhere: a stolen device cannot guess forever, and locks nobody
  // else out.
  if (place?.kind === 'device') return [{ bucket: 'sign-in:device', subject: place.id, ...few }];
  // This limit is against attempts on many accounts.
  const byAddress = perNetwork('sign-in:address', address, { limit: 50, windowSeconds: 15 * MINUTE_SECONDS });
  // This limit is against many passwords for one account.
  const pair = { bucket: 'sign-in:pair', subject: `${email} ${byAddress[0]!.subject}`, ...few };
  if (place?.kind === 'network') return [byAddress[0]!, pair];
  return [
    ...byAddress,
    pair,
    // These limits are against many networks. Strangers can exhaust them, so known places are
    // exempt.
    { bucket: 'sign-in:email', subject: email, limit: 100, windowSeconds: 60 * MINUTE_SECONDS },
    { bucket: 'sign-in:strangers', subject: 'all', limit: 3000, windowSeconds: 15 * MINUTE_SECONDS },
  ];
}

/** Lists the limits that a success resets. The other limits protect more than this account. */
export function clearedBySuccess(throttles: readonly Throttle[]): Throttle[] {
  return throttles.filter(({ bucket }) => bucket === 'sign-in:pair' || bucket === 'sign-in:device');
}

/** Lists the limits for requests of any mail. */
export function askingThrottles(address: string): Throttle[] {
  return perNetwork('mail:address', address, { limit: 20, windowSeconds: 60 * MINUTE_SECONDS });
}

/** Lists the limits for a mail that anybody can have sent to an address. */
export function mailThrottles(address: string, email: string): Throttle[] {
  return [
    ...askingThrottles(address),
    { bucket: 'mail:email', subject: email, limit: 5, windowSeconds: 60 * MINUTE_SECONDS },
  ];
}

/**
 * Lists the limits for using a link. Tokens cannot be guessed, but each attempt costs a query or a
 * hash.
 */
export function tokenThrottles(address: string): Throttle[] {
  return perNetwork('token:address', address, { limit: 60, windowSeconds: 15 * MINUTE_SECONDS });
}

/**
 * Lists the limits for password checks of a signed-in account, so that a stolen session cannot be
 * used to guess the password.
 */
export function passwordThrottles(accountId: string): Throttle[] {
  return [{ bucket: 'password', subject: accountId, limit: 10, windowSeconds: 15 * MINUTE_SECONDS }];
}

/**
 * Lists the limits for verifying a file without an account. An IPv6 address is counted by its /56,
 * which is what one customer usually gets.
 */
export function publicVerifyThrottles(address: string): Throttle[] {
  const [own, wider] = networksOf(address);
  const subject = wider ?? own!;
  const { perMinute, perHour } = PUBLIC_VERIFY_LIMITS;
  return [
    { bucket: 'verify:minute', subject, limit: perMinute, windowSeconds: MINUTE_SECONDS },
    { bucket: 'verify:hour', subject, limit: perHour, windowSeconds: 60 * MINUTE_SECONDS },
  ];
}

/** Limits of actions that add a row or contact another server, far above what a person does. */
const OWN_LIMITS = {
  key: { limit: 60, windowSeconds: 60 * MINUTE_SECONDS },
  'access-token': { limit: 300, windowSeconds: 15 * MINUTE_SECONDS },
  export: { limit: 20, windowSeconds: 60 * MINUTE_SECONDS },
  'webhook-resend': { limit: 120, windowSeconds: 60 * MINUTE_SECONDS },
} as const;

/** Lists the limits for such an action of a signed-in account. */
export function ownThrottles(bucket: keyof typeof OWN_LIMITS, accountId: string): Throttle[] {
  return [{ bucket, subject: accountId, ...OWN_LIMITS[bucket] }];
}

/**
 * Counts an attempt against each limit. This is exact over all processes, because counting and
 * checking happen under one row lock.
 * @throws AppError RATE_LIMITED with the seconds until the window ends. A refused attempt does not
 * count
 *   against the limits after the one that refused it.
 */
export async function countAttempt(db: Database, throttles: readonly Throttle[]): Promise<void> {
  const full = await findFull(db, throttles);
  if (full === null) return;
  const { rows } = await db.pool.query<{ seconds: number }>(
    `select extract(epoch from started_at - now())::float8 + $3 as seconds
     from sign_in_attempts where bucket = $1 and subject = $2`,
    [full.bucket, full.subject, full.windowSeconds],
  );
  const resetSeconds = Math.max(1, Math.ceil(rows[0]?.seconds ?? 1));
  throw new AppError('RATE_LIMITED', `Too many attempts; try again in ${resetSeconds} seconds.`, {
    limit: full.limit,
    resetSeconds,
  });
}

/**
 * Counts like `countAttempt`. @returns whether the attempt is allowed. For requests that are
 * refused silently.
 */
export async function hasRoom(db: Database, throttles: readonly Throttle[]): Promise<boolean> {
  return (await findFull(db, throttles)) === null;
}

/** Counts against each limit until one is reached, and returns that one. */
async function findFull(db: Database, throttles: readonly Throttle[]): Promise<Throttle | null> {
  for (const throttle of throttles) {
    const { bucket, subject, limit, windowSeconds } = throttle;
    const { rowCount } = await db.pool.query({
      name: 'count-attempt',
      text: `insert into sign_in_attempts as a (bucket, subject, started_at, attempts) values ($1, $2, now(), 1)
        on conflict (bucket, subject) do update set
          started_at = case when a.started_at <= now() - $4::float8 * interval '1 s' then now() else a.started_at end,
          attempts = case when a.started_at <= now() - $4::float8 * interval '1 s' then 1 else a.attempts + 1 end
        where a.started_at <= now() - $4::float8 * interval '1 s' or a.attempts < $3
        returning 1`,
      values: [bucket, subject, limit, windowSeconds],
    });
    if (rowCount !== 1) return throttle;
  }
  return null;
}

/** Forgets attempts after a success, so that the next mistake counts as the first. */
export async function forgetAttempts(db: Database, throttles: readonly Throttle[]): Promise<void> {
  for (const { bucket, subject } of throttles) {
    await db.pool.query('delete from sign_in_attempts where bucket = $1 and subject = $2', [bucket, subject]);
  }
}

/** Deletes old counts, expired sessions and links, and places that were unused for long. */
export async function pruneSignIn(db: Database): Promise<void> {
  const isOld = `started_at <= now() - $1::float8 * interval '1 s'`;
  await deleteInBatches(db.pool, 'sign_in_attempts', isOld, [LONGEST_WINDOW_SECONDS]);
  await deleteInBatches(db.pool, 'sessions', 'expires_at <= now()');
  await db.pool.query('delete from email_links where expires_at <= now()');
  await db.pool.query('delete from api_keys where session_id is not null and expires_at <= now()');
  await pruneKnownPlaces(db);
}

/**
 * Makes a limit for each network of an address. Each wider network allows twice as many attempts.
 */
function perNetwork(
  bucket: string,
  address: string,
  { limit, windowSeconds }: Pick<Throttle, 'limit' | 'windowSeconds'>,
): Throttle[] {
  return networksOf(address).map((subject, step) => ({
    bucket,
    subject,
    limit: limit * 2 ** step,
    windowSeconds,
  }));
}
