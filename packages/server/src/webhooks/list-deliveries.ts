import type { Database } from '../db/database.ts';
import { toJobId } from '../present/v1/job-id.ts';
import { toEventId } from './event-id.ts';
import type { EventStatus } from './record-attempt.ts';

export interface DeliveryAttempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Status of the answer; null if there was none. */
  readonly httpStatus: number | null;
  /** Reason of the failure in a plain sentence; null if delivered. */
  readonly failure: string | null;
}

export interface Delivery {
  /** The `webhook-id`: `evt_...`. */
  readonly eventId: string;
  readonly event: string;
  readonly jobId: string;
  readonly url: string;
  readonly status: EventStatus;
  readonly createdAt: Date;
  /** Set only while the event is pending. */
  readonly nextAttemptAt: Date | null;
  readonly attemptCount: number;
  /** The latest attempts, at most MAX_ATTEMPTS_LISTED, in chronological order. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** `before` of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

interface DeliveryRow {
  readonly id: string;
  readonly position: number;
  readonly event: string;
  readonly taskId: string;
  readonly url: string;
  readonly status: EventStatus;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date;
  readonly attemptCount: number;
  readonly attempts: readonly (Omit<DeliveryAttempt, 'startedAt'> & { readonly startedAt: string })[];
}

/**
 * Largest number of attempts listed for one event. A round has ten attempts, and each resend starts
 * a new round.
 */
export const MAX_ATTEMPTS_LISTED = 20;

/**
 * Lists the account's events with their attempts, newest first. @param page.before cursor from the
 * previous page.
 */
export async function listDeliveries(
  db: Database,
  accountId: string,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<DeliveryPage> {
  const { rows } = await db.pool.query<DeliveryRow>({
    name: 'list-webhook-deliveries',
    text: `select event.id, event.position, event.event, event.task_id as "taskId", event.url, event.status,
        event.created_at as "createdAt", event.next_attempt_at as "nextAttemptAt",
        (select count(*) from webhook_attempts a where a.event_id = event.id) as "attemptCount",
        coalesce((select json_agg(json_build_object('startedAt', a.started_at, 'durationMs', a.duration_ms,
            'httpStatus', a.http_status, 'failure', a.failure) order by a.id)
          from (select * from webhook_attempts where event_id = event.id order by id desc limit $4) a),
          '[]') as attempts
      from webhook_events event
      where event.account_id = $1 and ($2::bigint is null or event.position < $2)
      order by event.position desc limit $3`,
    // One additional row shows whether there is a next page.
    values: [accountId, before, limit + 1, MAX_ATTEMPTS_LISTED],
  });
  const page = rows.slice(0, limit);
  return {
    deliveries: page.map(toDelivery),
    nextCursor: rows.length > limit ? String(page[page.length - 1]!.position) : null,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    eventId: toEventId(row.id),
    event: row.event,
    jobId: toJobId(row.taskId),
    url: row.url,
    status: row.status,
    createdAt: row.createdAt,
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt : null,
    attemptCount: row.attemptCount,
    attempts: row.attempts.map((attempt) => ({ ...attempt, startedAt: new Date(attempt.startedAt) })),
  };
}
