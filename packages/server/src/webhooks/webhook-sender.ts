import { setTimeout as delay } from 'node:timers/promises';
import type { Notifications } from '../db/notifications.ts';
import { type AttemptDeps, attemptEvent } from './attempt-event.ts';
import { claimEvents, type ClaimOptions, freeLeases } from './claim-events.ts';

export interface WebhookSenderSettings extends Omit<ClaimOptions, 'capacity'> {
  /** Largest number of concurrent attempts in this process. */
  readonly concurrency: number;
  /** Interval of queries for due events, for retries and in case a notification was lost. */
  readonly pollMs: number;
  /** Time that running attempts get to finish at shutdown. */
  readonly graceMs: number;
}

/** Settings of the service. Tests use others. */
export const WEBHOOK_SENDER_SETTINGS: WebhookSenderSettings = {
  concurrency: 128,
  perEndpoint: 4,
  perAccount: 32,
  leaseMs: 45_000,
  pollMs: 1000,
  graceMs: 2000,
};

/** Longest time of one attempt (docs/decisions/0010). */
export const WEBHOOK_ATTEMPT_MS = 15_000;

export interface WebhookSenderDeps extends AttemptDeps {
  readonly notifications: Notifications;
  readonly settings: WebhookSenderSettings;
  /** Whether no other sender of this database is alive. */
  readonly workersAreGone: boolean;
}

/**
 * Sends due events until stopped. Many processes may run a sender: if one is killed, another sends
 * its events after their leases have expired. Never rejects; if the database fails, tries again.
 */
export async function runWebhookSender(deps: WebhookSenderDeps, stopping: AbortSignal): Promise<void> {
  const { db, log, settings } = deps;
  const underWay = new Set<Promise<void>>();
  const shutdown = new AbortController();
  let nap = new AbortController();
  const wake = (): void => nap.abort();
  // This notification comes after the commit that ends a task, so the event is in the database by
  // then.
  const unlisten = deps.notifications.listen('guise_finished', wake);
  stopping.addEventListener('abort', wake, { once: true });

  const start = async (): Promise<void> => {
    const capacity = settings.concurrency - underWay.size;
    if (capacity === 0) return;
    for (const event of await claimEvents(db, { ...settings, capacity })) {
      const attempt = attemptEvent(deps, event, shutdown.signal)
        .catch((error: unknown) => log.error({ err: error }, 'attempting a webhook failed'))
        .finally(() => {
          underWay.delete(attempt);
          wake();
        });
      underWay.add(attempt);
    }
  };

  let leasesAreFree = !deps.workersAreGone;
  while (!stopping.aborted) {
    // Made before the query, so that a notification during the query shortens the pause.
    nap = new AbortController();
    try {
      if (!leasesAreFree) await freeLeases(db);
      leasesAreFree = true;
      await start();
    } catch (error) {
      log.error({ err: error }, 'looking for due webhooks failed');
    }
    await delay(settings.pollMs, undefined, { signal: nap.signal }).catch(() => {});
  }
  unlisten();
  const grace = setTimeout(() => shutdown.abort(), settings.graceMs);
  await Promise.all(underWay);
  clearTimeout(grace);
}
