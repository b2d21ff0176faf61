import type { WebhookEvent } from '@guise/contract/v1/webhook-schemas.ts';
import type { Database } from '../db/database.ts';
import type { GuardedClient } from '../net/guarded-client.ts';
import { NetError } from '../net/net-error.ts';
import type { Task } from '../tasks/task.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ClaimedEvent } from './claim-events.ts';
import { eventBody, RenderError } from './event-body.ts';
import { toEventId } from './event-id.ts';
import { recordAttempt, releaseEvent } from './record-attempt.ts';
import { signEvent } from './sign-event.ts';

export interface AttemptDeps {
  readonly db: Database;
  /** HTTP client that checks the address at every attempt and follows no redirects. */
  readonly client: Pick<GuardedClient, 'post'>;
  /** Makes the event of a task. */
  readonly present: (task: Task) => WebhookEvent;
  readonly log: Logger;
  /** Returns a random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Longest time of an attempt, from resolving the host name to the status of the answer. */
  readonly attemptMs: number;
}

interface Answer {
  readonly httpStatus: number | null;
  readonly failure: string | null;
}

/**
 * Attempts to send an event: makes its body (at the first attempt), signs it, sends it and records
 * the outcome. Rejects only if the database fails; the attempt is repeated after the lease has
 * expired.
 * @param shutdown aborts an attempt, which then does not count.
 */
export async function attemptEvent(
  deps: AttemptDeps,
  event: ClaimedEvent,
  shutdown: AbortSignal,
): Promise<void> {
  const { db, log } = deps;
  const startedAt = new Date();
  const startedMs = performance.now();
  const answer = await send(deps, event, startedAt, shutdown);
  if (answer === 'nobody') return;
  if (answer === 'broken-off') return releaseEvent(db, event);
  const durationMs = Math.round(performance.now() - startedMs);
  const status = await recordAttempt(db, event, { startedAt, durationMs, ...answer }, deps.random());
  // The URL is not logged, because it may contain a secret of its owner.
  const entry = { event: toEventId(event.id), durationMs, ...answer };
  if (status === 'failed' || status === 'stopped') log.warn(entry, 'a webhook was given up');
  else log.debug(entry, 'a webhook was attempted');
}

async function send(
  { db, client, present, log, attemptMs }: AttemptDeps,
  event: ClaimedEvent,
  at: Date,
  shutdown: AbortSignal,
): Promise<Answer | 'nobody' | 'broken-off'> {
  const id = toEventId(event.id);
  const unsent = (error: unknown): Answer => {
    log.error({ err: error, event: id }, 'sending a webhook failed');
    return { httpStatus: null, failure: 'The event could not be sent.' };
  };
  let body: string | null;
  try {
    body = await eventBody(db, event, present);
  } catch (error) {
    if (error instanceof RenderError) return unsent(error);
    throw error;
  }
  if (body === null) return 'nobody';
  try {
    const { status } = await client.post(event.url, {
      headers: {
        'content-type': 'application/json',
        ...signEvent(id, body, at, event.secrets),
      },
      body,
      totalMs: attemptMs,
      signal: shutdown,
    });
    return { httpStatus: status, failure: failureOf(status) };
  } catch (error) {
    if (shutdown.aborted) return 'broken-off';
    if (error instanceof NetError) {
      return { httpStatus: null, failure: `The endpoint could not be reached: ${error.message}.` };
    }
    return unsent(error);
  }
}

/** Returns why an answer counts as a failure; null for a status of 2xx. */
function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return `The endpoint answered ${status}; redirects are not followed.`;
  }
  if (status === 410) return 'The endpoint answered 410: it does not want this event any more.';
  return `The endpoint answered ${status}.`;
}
