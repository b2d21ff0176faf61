import type { Database } from '../db/database.ts';
import type { ClaimedEvent } from './claim-events.ts';
import { retryDelayMs } from './retry-schedule.ts';

export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Status of the answer; null if there was none. */
  readonly httpStatus: number | null;
  /** Reason of the failure in a plain sentence; null if delivered. */
  readonly failure: string | null;
}

export type EventStatus = 'pending' | 'delivered' | 'failed' | 'stopped';

/** Status with which an endpoint refuses further events. */
const GONE = 410;

/**
 * Records an attempt and decides what happens with the event.
 * @param random 0 to 1, for the jitter of the next attempt.
 * @returns null if the lease was lost or the account was deleted; nothing was recorded then.
 */
export async function recordAttempt(
  db: Database,
  event: ClaimedEvent,
  attempt: Attempt,
  random: number,
): Promise<EventStatus | null> {
  const failures = attempt.failure === null ? event.failures : event.failures + 1;
  const delayMs = attempt.failure === null ? null : retryDelayMs(failures, random);
  const status = statusAfter(attempt, delayMs);
  const { rowCount } = await db.pool.query({
    name: 'record-webhook-attempt',
    text: `with event as (
        update webhook_events set
          status = $3, failures = $4, lease_token = null,
          next_attempt_at = now() + coalesce($5::float8, 0) * interval '1 ms'
        where id = $1 and lease_token = $2
        returning id
      )
      insert into webhook_attempts (event_id, started_at, duration_ms, http_status, failure)
      select id, $6, $7, $8, $9 from event`,
    values: [
      event.id,
      event.leaseToken,
      status,
      failures,
      delayMs,
      attempt.startedAt,
      attempt.durationMs,
      attempt.httpStatus,
      attempt.failure,
    ],
  });
  return rowCount === 1 ? status : null;
}

/**
 * Releases an event whose attempt was aborted by our shutdown. The attempt does not count and is
 * repeated at once.
 */
export async function releaseEvent(db: Database, event: ClaimedEvent): Promise<void> {
  await db.pool.query(
    'update webhook_events set lease_token = null, next_attempt_at = now() where id = $1 and lease_token = $2',
    [event.id, event.leaseToken],
  );
}

function statusAfter({ httpStatus, failure }: Attempt, delayMs: number | null): EventStatus {
  if (failure === null) return 'delivered';
  if (httpStatus === GONE) return 'stopped';
  return delayMs === null ? 'failed' : 'pending';
}
