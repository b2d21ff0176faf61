import { PLAN_LIMITS, type Plan, READ_RATE_FACTOR } from '@guise/contract/plans.ts';
import type { Database } from '../db/database.ts';
import { RATE_WINDOW_SECONDS, type RateBucket } from './admit.ts';
import { unlimitedBucket } from './unlimited-use.ts';

export interface RateUse {
  /** Bucket, with its name in the rate headers; `v1:day` is the UTC day. */
  readonly bucket: RateBucket | 'v1:day';
  readonly windowSeconds: number;
  /** Allowed requests; null means unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Seconds until the window ends; 0 if no window has begun. */
  readonly resetSeconds: number;
}

interface WindowRow {
  readonly bucket: string;
  readonly requests: number;
  readonly seconds: number;
  readonly day_requests: number;
  readonly day_seconds: number;
}

/** Length of the window of `v1:day`. */
const DAY_SECONDS = 24 * 3600;

/**
 * Reads how many requests an account has made in the current windows, without counting a request.
 */
export async function readRateUse(db: Database, accountId: string, plan: Plan): Promise<RateUse[]> {
  const { rows } = await db.pool.query<WindowRow>(
    `select bucket, requests, extract(epoch from started_at - now())::float8 + $2 as seconds,
       case when day >= (now() at time zone 'utc')::date then day_requests else 0 end as day_requests,
       extract(epoch from (now() at time zone 'utc')::date + 1 - (now() at time zone 'utc'))::float8 as day_seconds
     from request_windows where account_id = $1`,
    [accountId, RATE_WINDOW_SECONDS],
  );
  const { requestsPerMinute, requestsPerDay } = PLAN_LIMITS[plan];
  const rowOf = (bucket: RateBucket, limit: number | null): WindowRow | undefined => {
    const name = limit === null ? unlimitedBucket(bucket) : bucket;
    return rows.find((row) => row.bucket === name);
  };
  const perMinute = (bucket: RateBucket, factor: number): RateUse => {
    const limit = requestsPerMinute === null ? null : requestsPerMinute * factor;
    const row = rowOf(bucket, limit);
    const open = row !== undefined && row.seconds > 0 ? row : undefined;
    return {
      bucket,
      windowSeconds: RATE_WINDOW_SECONDS,
      limit,
      used: open?.requests ?? 0,
      resetSeconds: open === undefined ? 0 : Math.max(1, Math.ceil(open.seconds)),
    };
  };
  // A plan without a limit per minute has no limit per day either, so one row contains both counts.
  const v1 = rowOf('v1', requestsPerMinute);
  const today = v1 !== undefined && v1.day_requests > 0 ? v1 : undefined;
  return [
    perMinute('ai-tasks', 1),
    perMinute('ai-tasks:read', READ_RATE_FACTOR),
    perMinute('v1', 1),
    {
      bucket: 'v1:day',
      windowSeconds: DAY_SECONDS,
      limit: requestsPerDay,
      used: today?.day_requests ?? 0,
      resetSeconds: today === undefined ? 0 : Math.max(1, Math.ceil(today.day_seconds)),
    },
  ];
}
