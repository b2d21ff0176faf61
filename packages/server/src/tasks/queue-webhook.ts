import { webhookEventName } from '@guise/contract/v1/webhook-events.ts';
import type { Transaction } from '../db/transaction.ts';
import { toTask, type TaskRow } from './task-row.ts';

/**
 * Queues the webhook event of a task in the transaction that ends the task, so that every ended
 * task has its event.
 */
export async function queueWebhook(client: Transaction, ended: TaskRow): Promise<void> {
  // Only tasks of v1 have webhooks, so other tasks skip the query.
  if (ended.interface !== 'v1') return;
  const { type, status } = toTask(ended);
  const event = webhookEventName(type, status);
  if (event === null) return;
  await client.query({
    name: 'queue-webhook',
    text: `insert into webhook_events (account_id, task_id, event, url, origin)
      select account_id, id, $2, webhook_url, substring(webhook_url from '^[^/]+//[^/]+')
      from tasks where id = $1 and webhook_url is not null`,
    values: [ended.id, event],
  });
}
