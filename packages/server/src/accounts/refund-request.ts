import type { Database } from '../db/database.ts';
import type { RateBucket } from './admit.ts';

/**
 * Uncounts a request that was admitted and then refused with a 429 after all, because those do not
 * count (docs/spec/details#rates). If its window has ended by now, the next one is a request
 * larger.
 */
export async function refundRequest(db: Database, accountId: string, bucket: RateBucket): Promise<void> {
  await db.pool.query({
    name: 'refund-request',
    text: `update request_windows set requests = requests - 1, day_requests = day_requests - 1
      where account_id = $1 and bucket = $2 and requests > 0 and day_requests > 0`,
    values: [accountId, bucket],
  });
}
