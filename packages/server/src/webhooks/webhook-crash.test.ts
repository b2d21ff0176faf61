import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { readWebhookSecret } from '../accounts/webhook-secret.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { newAccount } from '../tasks/testing/task-fixtures.ts';
import { toEventId } from './event-id.ts';
import { type Delivery, listDeliveries } from './list-deliveries.ts';
import { eventually, startReceiver } from './testing/receiver.ts';
import { endBatch, makeDue, startSender } from './testing/sender-rig.ts';

const SENDER = path.join(import.meta.dirname, 'testing/sender-process.ts');

let t: TestDatabase;
let children: ChildProcess[] = [];

before(async () => {
  t = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(children.map(killed));
  children = [];
});
after(() => t.close());

async function spawnSender(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SENDER, t.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('an endpoint that is down for 3 attempts, the sender killed in one of them, gets one event, signed', async () => {
  const accountId = await newAccount(t.db, 3);
  const receiver = await startReceiver((_request, index) => ([500, 'hang', 503, 200] as const)[index] ?? 200);
  const logged = async (count: number): Promise<Delivery> =>
    (await eventually(async () => {
      const { deliveries } = await listDeliveries(t.db, accountId, { limit: 50 });
      return deliveries[0]?.attempts.length === count ? deliveries[0] : null;
    }, `${count} attempts`)) as Delivery;
  try {
    const { eventId } = await endBatch(t.db, accountId, receiver.origin);
    const first = await spawnSender();
    await logged(1);
    await makeDue(t.db, eventId);
    await receiver.received(2);
    await killed(first);
    // The killed one's lease runs out; its attempt counts for nothing.
    await t.db.pool.query('update webhook_events set next_attempt_at = now() where id = $1', [eventId]);
    await spawnSender();
    await logged(2);
    assert.equal(receiver.requests.length, 3);
    await makeDue(t.db, eventId);
    const delivered = await logged(3);
    assert.equal(delivered.status, 'delivered');
    assert.deepEqual(
      delivered.attempts.map(({ httpStatus }) => httpStatus),
      [500, 503, 200],
    );
    const webhook = new Webhook(await readWebhookSecret(t.db, accountId));
    for (const { headers, body } of receiver.requests) {
      webhook.verify(body, headers as Record<string, string>);
      assert.equal(headers['webhook-id'], toEventId(eventId));
      assert(body.equals(receiver.requests[0]!.body));
    }
    assert.equal(receiver.requests.length, 4);
  } finally {
    await receiver.close();
  }
});

test('where a killed sender was the only one, the next goes on without waiting for its lease', async () => {
  const accountId = await newAccount(t.db, 3);
  const receiver = await startReceiver((_request, index) => (index === 0 ? 'hang' : 200));
  try {
    await endBatch(t.db, accountId, receiver.origin);
    const first = await spawnSender();
    await receiver.received(1);
    await killed(first);
    const sender = await startSender(t.url, { workersAreGone: true });
    await receiver.received(2);
    await sender.stop();
  } finally {
    await receiver.close();
  }
});
