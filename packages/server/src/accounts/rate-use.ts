import { PLANS, type Plan } from '@guise/contract/plans.ts';
import type { Database } from '../db/database.ts';
import { RATE_WINDOW_SECONDS, type RateBucket, windowLimits } from './admit.ts';

export interface RateUse {
  readonly bucket: RateBucket;
  readonly windowSeconds: number;
  /** null: unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** 0 where no window is open. */
  readonly resetSeconds: number;
}

const BUCKETS: readonly RateBucket[] = ['ai-tasks', 'ai-tasks:read'];

/** How much of its request rates an account has used in the windows now open. Counts nothing itself. */
export async function readRateUse(db: Database, accountId: string, plan: Plan): Promise<RateUse[]> {
  const { rows } = await db.pool.query<{ bucket: string; requests: number; seconds: number }>(
    `select bucket, requests, extract(epoch from started_at - now())::float8 + $2 as seconds
     from request_windows where account_id = $1 and started_at > now() - $2 * interval '1 s'`,
    [accountId, RATE_WINDOW_SECONDS],
  );
  return BUCKETS.map((bucket) => {
    const open = rows.find((row) => row.bucket === bucket);
    return {
      bucket,
      windowSeconds: RATE_WINDOW_SECONDS,
      limit: windowLimits(bucket)[PLANS.indexOf(plan)]!,
      used: open?.requests ?? 0,
      resetSeconds: open === undefined ? 0 : Math.max(1, Math.ceil(open.seconds)),
    };
  });
}
