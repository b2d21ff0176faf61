import { PLANS, PLAN_LIMITS, type Plan, READ_RATE_FACTOR } from '@guise/contract/plans.ts';
import type { Database } from '../db/database.ts';

/** One 60-second window each; an account's keys share them. */
export type RateBucket = 'ai-tasks' | 'ai-tasks:read' | 'v1';

export interface AdmittedAccount {
  readonly id: string;
  readonly plan: Plan;
  readonly emailVerified: boolean;
}

export interface Rate {
  readonly allowed: boolean;
  /** Requests in the window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, 1..60. */
  readonly resetSeconds: number;
}

export interface Admission {
  /** null: the key is unknown or revoked, or its account suspended; nothing tells which. */
  readonly account: AdmittedAccount | null;
  /** null: no account, or a plan without a limit. */
  readonly rate: Rate | null;
}

export const RATE_WINDOW_SECONDS = 60;

/**
 * The statement's common part. $1 key hash, $2 bucket, $3 requests a window per plan in the order of PLANS (null:
 * unlimited). Exact under concurrency: the count and its check are one row lock. A refused request changes nothing.
 * `before` serves refusals, where the upsert returns no row; a window that this snapshot does not see, or sees ended,
 * began in this very moment.
 */
export const ADMISSION_SQL = `
  with admitted as (
    select k.id as key_id, k.last_used_at, a.id, a.plan, a.email_verified_at is not null as email_verified,
      ($3::int[])[array_position(array['${PLANS.join("','")}'], a.plan)] as rate_limit
    from api_keys k join accounts a on a.id = k.account_id
    where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and a.suspended_at is null
  ), used as (
    update api_keys k set last_used_at = now() from admitted
    where k.id = admitted.key_id
      and (admitted.last_used_at is null or admitted.last_used_at < now() - interval '1 minute')
  ), counted as (
    insert into request_windows as w (account_id, bucket, started_at, requests)
    select id, $2, now(), 1 from admitted where rate_limit is not null
    on conflict (account_id, bucket) do update set
      started_at = case when w.started_at <= now() - interval '${RATE_WINDOW_SECONDS} s' then now() else w.started_at end,
      requests = case when w.started_at <= now() - interval '${RATE_WINDOW_SECONDS} s' then 1 else w.requests + 1 end
    where w.started_at <= now() - interval '${RATE_WINDOW_SECONDS} s'
      or w.requests < (select rate_limit from admitted)
    returning started_at, requests
  ), before as (
    select w.started_at from request_windows w join admitted on w.account_id = admitted.id where w.bucket = $2
  )`;

export const ADMISSION_COLUMNS = `
  admitted.id as admitted_id, admitted.plan as admitted_plan, admitted.email_verified as admitted_email_verified,
  admitted.rate_limit, counted.requests as rate_requests,
  extract(epoch from coalesce(counted.started_at, before.started_at) - now())::float8 + ${RATE_WINDOW_SECONDS}
    as rate_seconds_left`;

export const ADMISSION_FROM = 'from admitted left join counted on true left join before on true';

export interface AdmissionRow {
  readonly admitted_id: string;
  readonly admitted_plan: string;
  readonly admitted_email_verified: boolean;
  readonly rate_limit: number | null;
  readonly rate_requests: number | null;
  readonly rate_seconds_left: number | null;
}

/** Requests a window per plan, in the order of PLANS. */
export function windowLimits(bucket: RateBucket): (number | null)[] {
  const factor = bucket === 'ai-tasks:read' ? READ_RATE_FACTOR : 1;
  return PLANS.map((plan) => {
    const perMinute = PLAN_LIMITS[plan].requestsPerMinute;
    return perMinute === null ? null : perMinute * factor;
  });
}

export function toAdmission(row: AdmissionRow | undefined): Admission {
  if (row === undefined) return { account: null, rate: null };
  return {
    account: {
      id: row.admitted_id,
      plan: row.admitted_plan as Plan,
      emailVerified: row.admitted_email_verified,
    },
    rate: row.rate_limit === null ? null : toRate(row.rate_limit, row),
  };
}

function toRate(limit: number, row: AdmissionRow): Rate {
  const secondsLeft = row.rate_seconds_left ?? RATE_WINDOW_SECONDS;
  return {
    allowed: row.rate_requests !== null,
    limit,
    remaining: row.rate_requests === null ? 0 : limit - row.rate_requests,
    resetSeconds:
      secondsLeft <= 0
        ? RATE_WINDOW_SECONDS
        : Math.max(1, Math.min(RATE_WINDOW_SECONDS, Math.ceil(secondsLeft))),
  };
}

/**
 * Who sends this request, and may they send another now? One statement: key, account, exact window, last use (kept to
 * the minute).
 */
export async function admit(
  db: Database,
  request: { readonly keyHash: Buffer; readonly bucket: RateBucket },
): Promise<Admission> {
  const { rows } = await db.pool.query<AdmissionRow>({
    name: 'admit',
    text: `${ADMISSION_SQL} select ${ADMISSION_COLUMNS} ${ADMISSION_FROM}`,
    values: [request.keyHash, request.bucket, windowLimits(request.bucket)],
  });
  return toAdmission(rows[0]);
}
