import type { Database } from '../db/database.ts';
import { RATE_WINDOW_SECONDS, type RateBucket, TODAY_SQL } from './admit.ts';

/** Longest time until counted requests are written. */
const FLUSH_MS = 2000;

/**
 * Returns the bucket for requests without a limit. It has its own name, so that a change to a plan
 * with limits does not count earlier requests.
 */
export const unlimitedBucket = (bucket: RateBucket): string => `unlimited:${bucket}`;

export interface UnlimitedUse {
  /** Counts a request. The count is written later, so that the request does not wait. */
  count(accountId: string, bucket: RateBucket): void;
  /** Writes the counts. */
  flush(): Promise<void>;
}

interface Counted {
  readonly accountId: string;
  readonly bucket: RateBucket;
  requests: number;
}

/**
 * Counts requests of accounts without a limit, for display. The counts are exact, except for those
 * that a killed process had not written.
 */
export function countUnlimitedUse(db: Database, onError: (error: unknown) => void): UnlimitedUse {
  let counted = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const all = [...counted.values()];
    counted = new Map();
    if (all.length > 0) await write(db, all).catch(onError);
  };
  return {
    count(accountId, bucket) {
      const name = `${accountId} ${bucket}`;
      const known = counted.get(name);
      if (known === undefined) counted.set(name, { accountId, bucket, requests: 1 });
      else known.requests += 1;
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}

/**
 * Writes the counts, except those of deleted accounts. The rows are sorted, so that two processes
 * cannot deadlock.
 */
async function write(db: Database, counted: readonly Counted[]): Promise<void> {
  await db.pool.query(
    `insert into request_windows as w (account_id, bucket, started_at, requests, day, day_requests)
     select a.id, u.bucket, now(), u.requests, ${TODAY_SQL}, u.requests
     from unnest($1::uuid[], $2::text[], $3::int[]) as u(account_id, bucket, requests)
     join accounts a on a.id = u.account_id order by a.id, u.bucket
     on conflict (account_id, bucket) do update set
       started_at = case when w.started_at <= now() - $4::float8 * interval '1 s' then now() else w.started_at end,
       requests = case when w.started_at <= now() - $4::float8 * interval '1 s' then 0 else w.requests end
         + excluded.requests,
       day = greatest(w.day, excluded.day),
       day_requests = case when w.day >= excluded.day then w.day_requests else 0 end + excluded.day_requests`,
    [
      counted.map(({ accountId }) => accountId),
      counted.map(({ bucket }) => unlimitedBucket(bucket)),
      counted.map(({ requests }) => requests),
      RATE_WINDOW_SECONDS,
    ],
  );
}
