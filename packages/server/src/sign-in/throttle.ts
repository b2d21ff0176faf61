import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { type KnownPlace, pruneKnownPlaces } from './known-places.ts';
import { networksOf } from './networks.ts';

/** Limit of attempts in a window that starts with the first one. */
export interface Throttle {
  readonly bucket: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Seconds of a minute. */
const MINUTE_SECONDS = 60;

/** Longest window of all throttles; older counts are deleted. */
const LONGEST_WINDOW_SECONDS = 60 * MINUTE_SECONDS;

/** Attempt to sign in. */
export interface SignInTry {
  readonly address: string;
  readonly email: string;
  readonly place: KnownPlace | null;
}

/**
 * Lists what a sign-in is counted in. A stranger is counted alike whether there is such an account
 * or not: a limit for unknown addresses alone would show by being full which address has an
 * account.
 */
export function signInThrottles({ address, email, place }: SignInTry): Throttle[] {
  const few = { limit: 10, windowSeconds: 15 * MINUTE_SECONDS };
  // Wherever it is: a stolen device does not guess for ever, and keeps nobody else out.
  if (place?.kind === 'device') return [{ bucket: 'sign-in:device', subject: place.id, ...few }];
  // Against one who tries many accounts.
  const byAddress = perNetwork('sign-in:address', address, { limit: 50, windowSeconds: 15 * MINUTE_SECONDS });
  // Against one who tries many passwords.
  const pair = { bucket: 'sign-in:pair', subject: `${email} ${byAddress[0]!.subject}`, ...few };
  if (place?.kind === 'network') return [byAddress[0]!, pair];
  return [
    ...byAddress,
    pair,
    // Against many networks; what only strangers fill must not lock the account's person out.
    { bucket: 'sign-in:email', subject: email, limit: 100, windowSeconds: 60 * MINUTE_SECONDS },
    { bucket: 'sign-in:strangers', subject: 'all', limit: 3000, windowSeconds: 15 * MINUTE_SECONDS },
  ];
}

/** Lists what one success clears: the others guard more than this person. */
export function clearedBySuccess(throttles: readonly Throttle[]): Throttle[] {
  return throttles.filter(({ bucket }) => bucket === 'sign-in:pair' || bucket === 'sign-in:device');
}

/** Lists what a request for any mail is counted in. */
export function askingThrottles(address: string): Throttle[] {
  return perNetwork('mail:address', address, { limit: 20, windowSeconds: 60 * MINUTE_SECONDS });
}

/** Lists what a mail is counted in that anybody may have sent to an address. */
export function mailThrottles(address: string, email: string): Throttle[] {
  return [
    ...askingThrottles(address),
    { bucket: 'mail:email', subject: email, limit: 5, windowSeconds: 60 * MINUTE_SECONDS },
  ];
}

/**
 * Lists what an answer to a link is counted in: tokens cannot be guessed, but each try costs a
 * query or a hash.
 */
export function tokenThrottles(address: string): Throttle[] {
  return perNetwork('token:address', address, { limit: 60, windowSeconds: 15 * MINUTE_SECONDS });
}

/**
 * Lists what password checks of a signed-in account are counted in: a stolen session must not guess
 * the password.
 */
export function passwordThrottles(accountId: string): Throttle[] {
  return [{ bucket: 'password', subject: accountId, limit: 10, windowSeconds: 15 * MINUTE_SECONDS }];
}

/**
 * Limits of actions that each leave a row behind or reach a server elsewhere, far above what a
 * person does.
 */
const OWN_LIMITS = {
  key: { limit: 60, windowSeconds: 60 * MINUTE_SECONDS },
  'access-token': { limit: 300, windowSeconds: 15 * MINUTE_SECONDS },
  'webhook-resend': { limit: 120, windowSeconds: 60 * MINUTE_SECONDS },
} as const;

/** Lists what such an action of a signed-in account is counted in. */
export function ownThrottles(bucket: keyof typeof OWN_LIMITS, accountId: string): Throttle[] {
  return [{ bucket, subject: accountId, ...OWN_LIMITS[bucket] }];
}

/**
 * Counts an attempt in each; exact over all processes, because the count and its check are one row
 * lock.
 * @throws AppError RATE_LIMITED with the seconds until the fullest window ends; a refused attempt
 * counts in none after the one that refused it.
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
 * Counts as `countAttempt` does. @returns whether there was room, for what is refused in silence.
 */
export async function hasRoom(db: Database, throttles: readonly Throttle[]): Promise<boolean> {
  return (await findFull(db, throttles)) === null;
}

/** Counts in each until one is full. */
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

/** Deletes old windows, sessions and links that ended, and places that are long unused. */
export async function pruneSignIn(db: Database): Promise<void> {
  const isOld = `started_at <= now() - $1::float8 * interval '1 s'`;
  await deleteInBatches(db.pool, 'sign_in_attempts', isOld, [LONGEST_WINDOW_SECONDS]);
  await deleteInBatches(db.pool, 'sessions', 'expires_at <= now()');
  await db.pool.query('delete from email_links where expires_at <= now()');
  await db.pool.query('delete from api_keys where session_id is not null and expires_at <= now()');
  await pruneKnownPlaces(db);
}

/** Limits each network that an address is in; each wider one has room for twice as much. */
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
