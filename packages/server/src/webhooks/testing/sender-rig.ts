import assert from 'node:assert/strict';
import { type Database, openDatabase } from '../../db/database.ts';
import { openInstallationSecrets } from '../../db/installation-secrets.ts';
import { openNotifications } from '../../db/notifications.ts';
import { createGuardedClient } from '../../net/guarded-client.ts';
import { createFileLinks } from '../../storage/file-links.ts';
import { claimTask } from '../../tasks/testing/claim-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import { finishTask } from '../../tasks/finish-task.ts';
import { newBatch, newOutput, resultWith } from '../../tasks/testing/task-fixtures.ts';
import { createLogger } from '../../telemetry/log.ts';
import { presentEvent } from '../present-event.ts';
import {
  runWebhookSender,
  WEBHOOK_ATTEMPT_MS,
  WEBHOOK_SENDER_SETTINGS,
  type WebhookSenderDeps,
  type WebhookSenderSettings,
} from '../webhook-sender.ts';

export interface SenderChanges extends Partial<Omit<WebhookSenderDeps, 'settings'>> {
  readonly settings?: Partial<WebhookSenderSettings>;
  readonly allowPrivate?: boolean;
}

/** Short times, because some tests leave attempts that never end. */
const IMPATIENT = { pollMs: 20, graceMs: 10 };

/** A jitter so large that no retry happens before a test makes it due, even on a slow machine. */
const NEVER_AGAIN = 1000;

/** Starts a sender like that of the worker process, with the changes in `over`. */
export async function startSender(
  url: string,
  { settings, allowPrivate = true, ...over }: SenderChanges = {},
): Promise<{ stop(): Promise<void> }> {
  const db = openDatabase(url, { poolSize: 2 });
  const notifications = openNotifications(url);
  const client = createGuardedClient({ allowPrivate });
  const secrets = await openInstallationSecrets({ pool: db.pool, onError: assert.ifError });
  const links = createFileLinks(secrets['file-links'], 'https://guise.example');
  const stopping = new AbortController();
  const running = runWebhookSender(
    {
      db,
      client,
      present: (task) => presentEvent(task, links),
      log: createLogger({ level: 'silent', name: 'test' }),
      random: () => NEVER_AGAIN,
      attemptMs: WEBHOOK_ATTEMPT_MS,
      notifications,
      settings: { ...WEBHOOK_SENDER_SETTINGS, ...IMPATIENT, ...settings },
      workersAreGone: false,
      ...over,
    },
    stopping.signal,
  );
  return {
    async stop() {
      stopping.abort();
      await running;
      secrets.close();
      await client.close();
      await Promise.all([notifications.close(), db.close()]);
    },
  };
}

/**
 * Makes a completed batch of one picture. @returns the id of the task and the UUID of its event.
 */
export async function endBatch(
  db: Database,
  accountId: string,
  webhookUrl: string,
): Promise<{ taskId: string; eventId: string }> {
  const taskId = await startBatch(db, accountId, webhookUrl);
  const { rows } = await db.pool.query('select lease_token from tasks where id = $1', [taskId]);
  const result = resultWith(await newOutput(db, accountId, taskId));
  const ended = await finishTask(
    db,
    { taskId, leaseToken: rows[0].lease_token },
    { status: 'COMPLETED', result },
    { inputRetentionMs: 0 },
  );
  assert(ended);
  return { taskId, eventId: (await eventOf(db, taskId))! };
}

/** Makes a batch that a worker has claimed. @returns the id of the task. */
export async function startBatch(db: Database, accountId: string, webhookUrl?: string): Promise<string> {
  const batch = { ...(await newBatch(db, accountId)), parameters: { output_format: 'png', total_images: 1 } };
  const { task } = await createTask(db, { ...batch, ...(webhookUrl === undefined ? {} : { webhookUrl }) });
  const claimed = await claimTask(db, { lanes: ['long'], leaseMs: 60_000 });
  assert.equal(claimed?.id, task?.id);
  return claimed!.id;
}

export async function eventOf(db: Database, taskId: string): Promise<string | null> {
  const { rows } = await db.pool.query('select id from webhook_events where task_id = $1', [taskId]);
  return rows[0]?.id ?? null;
}

/** Makes an event's next attempt due now. */
export async function makeDue(db: Database, eventId: string): Promise<void> {
  await db.pool.query(
    'update webhook_events set next_attempt_at = now() where id = $1 and lease_token is null',
    [eventId],
  );
}
