import { PLANS, PLAN_LIMITS, type Plan, READ_RATE_FACTOR } from '@guise/contract/plans.ts';
import type { Database } from '../db/database.ts';

/**
 * Requests that are counted together: in a window of 60 seconds, and for v1 also in the UTC day.
 * All keys of an account share the counts.
 */
export type RateBucket = 'ai-tasks' | 'ai-tasks:read' | 'v1';

export interface AdmittedAccount {
  readonly id: string;
  readonly plan: Plan;
  readonly emailVerified: boolean;
}

export interface Quota {
  /** Requests allowed in the window. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends: 1 to 60, or until midnight UTC for a day. */
  readonly resetSeconds: number;
}

export interface Rate extends Quota {
  readonly allowed: boolean;
  /** Quota of the day, only for v1; null means unlimited. */
  readonly day: Quota | null;
  /** Window whose limit refused the request; null if the request was allowed. */
  readonly refusedBy: 'minute' | 'day' | null;
}

interface Request {
  readonly bucket: RateBucket;
  /**
   * IPv4 or IPv6 address, not mapped and without a zone (see `normaliseAddress`); null if unknown.
   */
  readonly clientAddress: string | null;
}

export interface AdmissionRequest extends Request {
  readonly keyHash: Buffer;
}

/** Request of a signed-in person, without a key. */
export interface AccountAdmissionRequest extends Request {
  readonly accountId: string;
}

export interface Admission {
  /**
   * Account; null if the key is unknown or revoked or the account is suspended. Clients cannot see
   * which.
   */
  readonly account: AdmittedAccount | null;
  /** Rate; null if there is no account or its plan has no limit. */
  readonly rate: Rate | null;
  /** Whether the account may be used from this address; see `setIpAllowlist`. */
  readonly addressAllowed: boolean;
}

/** Length of the window in which the requests of a bucket are counted. */
export const RATE_WINDOW_SECONDS = 60;

/** SQL for the current day in UTC, for any time zone of the session. */
export const TODAY_SQL = `(now() at time zone 'utc')::date`;

/** SQL condition: the window `w` is over, and the next request starts a new one. */
const WINDOW_ENDED_SQL = `w.started_at <= now() - interval '${RATE_WINDOW_SECONDS} s'`;

/** SQL for the active account of the API key with the hash `$1`. */
const ACCOUNT_BY_KEY_SQL = `api_keys k join accounts a on a.id = k.account_id
    where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and a.suspended_at is null`;

/** SQL for the active account with the id `$1`, with nulls in place of a key. */
const ACCOUNT_BY_ID_SQL = `(select null::uuid as id, null::timestamptz as last_used_at) k join accounts a on a.id = $1
    where a.suspended_at is null`;

/**
 * Makes the common part of the statement. $1 key hash or account id, $2 bucket, $3 requests per
 * window and $4 per UTC day for each plan in the order of PLANS (null: unlimited), $5 the client's
 * address. The counts are exact under concurrency: counting and checking happen under one row lock,
 * and a refused request changes nothing. `before` is used for refusals, for which the upsert
 * returns no row. If this snapshot does not see the window, or sees it ended, the window began just
 * now. A day never goes back: a statement that began before midnight and got the lock after
 * midnight counts for the new day.
 */
const admissionSql = (accountSql: string): string => `
  with admitted as (
    select k.id as key_id, k.last_used_at, a.id, a.plan, a.email_verified_at is not null as email_verified,
      ($3::int[])[array_position(array['${PLANS.join("','")}'], a.plan)] as rate_limit,
      ($4::int[])[array_position(array['${PLANS.join("','")}'], a.plan)] as day_limit,
      a.plan <> 'enterprise' or cardinality(a.ip_allowlist) = 0
        or coalesce($5::inet <<= any(a.ip_allowlist), false) as address_allowed
    from ${accountSql}
  ), used as (
    update api_keys k set last_used_at = now() from admitted
    where k.id = admitted.key_id
      and (admitted.last_used_at is null or admitted.last_used_at < now() - interval '1 minute')
  ), counted as (
    insert into request_windows as w (account_id, bucket, started_at, requests, day, day_requests)
    select id, $2, now(), 1, ${TODAY_SQL}, 1 from admitted where rate_limit is not null
    on conflict (account_id, bucket) do update set
      started_at = case when ${WINDOW_ENDED_SQL} then now() else w.started_at end,
      requests = case when ${WINDOW_ENDED_SQL} then 1 else w.requests + 1 end,
      day = greatest(w.day, ${TODAY_SQL}),
      day_requests = case when w.day >= ${TODAY_SQL} then w.day_requests + 1 else 1 end
    where (${WINDOW_ENDED_SQL} or w.requests < (select rate_limit from admitted))
      and (w.day is null or w.day < ${TODAY_SQL}
        or w.day_requests < coalesce((select day_limit from admitted), 2147483647))
    returning started_at, requests, day_requests
  ), before as (
    select w.started_at, case when ${WINDOW_ENDED_SQL} then 0 else w.requests end as requests,
      case when w.day >= ${TODAY_SQL} then w.day_requests else 0 end as day_requests
    from request_windows w join admitted on w.account_id = admitted.id where w.bucket = $2
  )`;

/** SQL that admits and counts a request by API key, to be followed by a `select`. */
export const ADMISSION_SQL = admissionSql(ACCOUNT_BY_KEY_SQL);

/** SQL columns of an `AdmissionRow`. */
export const ADMISSION_COLUMNS = `
  admitted.id as admitted_id, admitted.plan as admitted_plan, admitted.email_verified as admitted_email_verified,
  admitted.address_allowed as admitted_address_allowed, admitted.rate_limit, admitted.day_limit,
  counted.requests is not null as rate_allowed,
  coalesce(counted.requests, before.requests, 0) as rate_requests,
  coalesce(counted.day_requests, before.day_requests, 0) as day_requests,
  extract(epoch from coalesce(counted.started_at, before.started_at) - now())::float8 + ${RATE_WINDOW_SECONDS}
    as rate_seconds_left,
  extract(epoch from ${TODAY_SQL} + 1 - (now() at time zone 'utc'))::float8 as day_seconds_left`;

/** SQL `from` clause for `ADMISSION_COLUMNS`. */
export const ADMISSION_FROM = 'from admitted left join counted on true left join before on true';

export interface AdmissionRow {
  readonly admitted_id: string;
  readonly admitted_plan: string;
  readonly admitted_email_verified: boolean;
  readonly admitted_address_allowed: boolean;
  readonly rate_limit: number | null;
  readonly day_limit: number | null;
  readonly rate_allowed: boolean;
  /**
   * Requests in the window: including this one if it is allowed, otherwise as seen by the
   * statement's snapshot.
   */
  readonly rate_requests: number;
  readonly day_requests: number;
  readonly rate_seconds_left: number | null;
  readonly day_seconds_left: number;
}

/** Returns the first five parameters of the statement. */
export function admissionParameters(request: AdmissionRequest): unknown[] {
  return [request.keyHash, ...ratesAndAddress(request)];
}

function ratesAndAddress({ bucket, clientAddress }: Request): unknown[] {
  const factor = bucket === 'ai-tasks:read' ? READ_RATE_FACTOR : 1;
  const perWindow = PLANS.map((plan) => {
    const perMinute = PLAN_LIMITS[plan].requestsPerMinute;
    return perMinute === null ? null : perMinute * factor;
  });
  const perDay = PLANS.map((plan) => (bucket === 'v1' ? PLAN_LIMITS[plan].requestsPerDay : null));
  return [bucket, perWindow, perDay, clientAddress];
}

export function toAdmission(row: AdmissionRow | undefined): Admission {
  if (row === undefined) return { account: null, rate: null, addressAllowed: false };
  return {
    account: {
      id: row.admitted_id,
      plan: row.admitted_plan as Plan,
      emailVerified: row.admitted_email_verified,
    },
    rate: row.rate_limit === null ? null : toRate(row.rate_limit, row),
    addressAllowed: row.admitted_address_allowed,
  };
}

function toRate(limit: number, row: AdmissionRow): Rate {
  const minuteLeft = limit - row.rate_requests;
  const dayLeft = row.day_limit === null ? null : row.day_limit - row.day_requests;
  // Requests that this snapshot did not see count in both windows, so the one with fewer requests
  // left refused.
  const short = dayLeft !== null && dayLeft <= minuteLeft ? 'day' : 'minute';
  const refusedBy = row.rate_allowed ? null : short;
  const secondsLeft = row.rate_seconds_left ?? RATE_WINDOW_SECONDS;
  return {
    allowed: row.rate_allowed,
    limit,
    remaining: refusedBy === 'minute' ? 0 : minuteLeft,
    resetSeconds:
      secondsLeft <= 0
        ? RATE_WINDOW_SECONDS
        : Math.max(1, Math.min(RATE_WINDOW_SECONDS, Math.ceil(secondsLeft))),
    day:
      row.day_limit === null || dayLeft === null
        ? null
        : {
            limit: row.day_limit,
            remaining: refusedBy === 'day' ? 0 : dayLeft,
            resetSeconds: Math.max(1, Math.ceil(row.day_seconds_left)),
          },
    refusedBy,
  };
}

/**
 * Finds the account of a key and counts the request in one statement, which checks the key,
 * account, window, day and address, and updates the time of last use (exact to the minute).
 */
export async function admit(db: Database, request: AdmissionRequest): Promise<Admission> {
  const { rows } = await db.pool.query<AdmissionRow>({
    name: 'admit',
    text: `${ADMISSION_SQL} select ${ADMISSION_COLUMNS} ${ADMISSION_FROM}`,
    values: admissionParameters(request),
  });
  return toAdmission(rows[0]);
}

/** Admits a request of an account by the same rules, without a key. */
export async function admitAccount(db: Database, request: AccountAdmissionRequest): Promise<Admission> {
  const { rows } = await db.pool.query<AdmissionRow>({
    name: 'admit-account',
    text: `${admissionSql(ACCOUNT_BY_ID_SQL)} select ${ADMISSION_COLUMNS} ${ADMISSION_FROM}`,
    values: [request.accountId, ...ratesAndAddress(request)],
  });
  return toAdmission(rows[0]);
}
