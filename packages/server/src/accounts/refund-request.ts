import type { Database } from '../db/database.ts';
import type { RateBucket } from './admit.ts';

/**
 * Takes back the count of a request that was admitted and then refused with a 429, because such
 * requests do not count (docs/spec/details#rates). If the window has ended by now, the next window
 * allows one request more.
 */
export async function refundRequest(db: Database, accountId: string, bucket: RateBucket): Promise<void> {
  await db.pool.query({
    name: 'refund-request',
    text: `update request_windows set requests = requests - 1, day_requests = day_requests - 1
      where account_id = $1 and bucket = $2 and requests > 0 and day_requests > 0`,
    values: [accountId, bucket],
  });
}
