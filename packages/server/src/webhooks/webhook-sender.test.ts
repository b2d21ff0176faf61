import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { batchCompletedEventSchema } from '@guise/contract/v1/webhook-schemas.ts';
import { Webhook } from 'standardwebhooks';
import { Value } from 'typebox/value';
import { setSuspended } from '../accounts/testing/suspend-account.ts';
import { readWebhookSecret, rotateWebhookSecret } from '../accounts/webhook-secret.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { newAccount } from '../tasks/testing/task-fixtures.ts';
import { toEventId } from './event-id.ts';
import { listDeliveries, type Delivery } from './list-deliveries.ts';
import { resendEvent } from './resend-event.ts';
import { eventually, type Received, type Receiver, startReceiver } from './testing/receiver.ts';
import { endBatch, makeDue, type SenderChanges, startSender } from './testing/sender-rig.ts';
import { WEBHOOK_SENDER_SETTINGS } from './webhook-sender.ts';

/** Time of attempts that must not end while a test looks; within the lease. */
const LONG_ATTEMPT_MS = 40_000;

let t: TestDatabase;
let accountId: string;
let receiver: Receiver;
let closing: (() => Promise<void>)[];

before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  closing = [];
  accountId = await newAccount(t.db, 1000);
  receiver = await openReceiver();
});
afterEach(async () => {
  // Senders first, then the endpoints, then what they had to do with each other.
  for (const close of closing.toReversed()) await close();
  await t.db.pool.query('delete from accounts');
});

async function openReceiver(react?: Receiver['react']): Promise<Receiver> {
  const opened = await startReceiver(react);
  closing.push(() => opened.close());
  return opened;
}

async function send(over: SenderChanges = {}): Promise<() => Promise<void>> {
  const sender = await startSender(t.url, over);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= sender.stop());
  closing.push(stop);
  return stop;
}

const deliveries = async (): Promise<readonly Delivery[]> =>
  (await listDeliveries(t.db, accountId, { limit: 50 })).deliveries;

/** Waits until the only event of the account is so. */
async function delivery(is: (delivery: Delivery) => boolean, what: string): Promise<Delivery> {
  return eventually(async () => {
    const [only] = await deliveries();
    return only !== undefined && is(only) ? only : null;
  }, what) as Promise<Delivery>;
}

function verified({ headers, body }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

test('a completed batch is told to its endpoint, signed, with the batch completed response', async () => {
  await send();
  const { taskId, eventId } = await endBatch(t.db, accountId, `${receiver.origin}/hook?key=1`);
  const told = await delivery(({ status }) => status === 'delivered', 'the delivery');
  assert.equal(receiver.requests.length, 1);
  const [request] = receiver.requests as [Received];
  const body = verified(request, await readWebhookSecret(t.db, accountId)) as Record<string, unknown>;
  assert(Value.Check(batchCompletedEventSchema, body), JSON.stringify(body));
  assert.equal(body.job_id, `job_${taskId.replaceAll('-', '')}`);
  assert.equal(request.path, '/hook?key=1');
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers['webhook-id'], toEventId(eventId));
  assert.deepEqual(
    { ...told, createdAt: 0, attempts: told.attempts.length },
    {
      eventId: toEventId(eventId),
      event: 'batch_swap.completed',
      jobId: body.job_id,
      url: `${receiver.origin}/hook?key=1`,
      status: 'delivered',
      createdAt: 0,
      nextAttemptAt: null,
      attemptCount: 1,
      attempts: 1,
    },
  );
  const [attempt] = told.attempts;
  assert.deepEqual([attempt?.httpStatus, attempt?.failure], [204, null]);
});

test('two senders at once send each of 20 events once', async () => {
  await Promise.all([send(), send()]);
  const ids: string[] = [];
  for (let n = 0; n < 20; n++)
    ids.push(toEventId((await endBatch(t.db, accountId, receiver.origin)).eventId));
  await eventually(
    async () => (await deliveries()).every(({ status }) => status === 'delivered'),
    'all deliveries',
  );
  assert.deepEqual(receiver.requests.map(({ headers }) => headers['webhook-id']).sort(), ids.sort());
});

test('a dead endpoint with many events holds a few attempts and delays nobody else', async () => {
  receiver.react = () => 'hang';
  const good = await openReceiver();
  for (let n = 0; n < 12; n++) await endBatch(t.db, accountId, receiver.origin);
  await send({ attemptMs: LONG_ATTEMPT_MS, settings: { concurrency: 6, perAccount: 6 } });
  await eventually(() => receiver.hanging === WEBHOOK_SENDER_SETTINGS.perEndpoint, 'attempts that hang');
  await endBatch(t.db, accountId, good.origin);
  await endBatch(t.db, await newAccount(t.db, 3), good.origin);
  await good.received(2);
  assert.equal(receiver.hanging, WEBHOOK_SENDER_SETTINGS.perEndpoint);
  assert.equal(receiver.requests.length, WEBHOOK_SENDER_SETTINGS.perEndpoint);
});

test('an account with many dead endpoints leaves room for the others', async () => {
  const dead = await Promise.all(Array.from({ length: 4 }, () => openReceiver(() => 'hang')));
  for (const each of [...dead, ...dead]) await endBatch(t.db, accountId, each.origin);
  await send({ attemptMs: LONG_ATTEMPT_MS, settings: { concurrency: 8, perAccount: 5 } });
  await eventually(() => dead.reduce((sum, { hanging }) => sum + hanging, 0) === 5, '5 attempts');
  await endBatch(t.db, await newAccount(t.db, 3), receiver.origin);
  await receiver.received(1);
  assert.equal(
    dead.reduce((sum, { requests }) => sum + requests.length, 0),
    5,
  );
});

test('an endpoint that does not answer in time is asked again after about 5 s', async () => {
  receiver.react = () => 'hang';
  await endBatch(t.db, accountId, receiver.origin);
  await send({ attemptMs: 100, random: () => 0.5 });
  const waiting = await delivery(({ attempts }) => attempts.length === 1, 'a failed attempt');
  const [attempt] = waiting.attempts;
  assert.deepEqual([waiting.status, attempt?.httpStatus], ['pending', null]);
  assert.match(attempt!.failure!, /^The endpoint could not be reached: it took longer than 0.1 seconds\.$/);
  const { rows } = await t.db.pool.query(
    `select extract(epoch from next_attempt_at - a.started_at) * 1000 - a.duration_ms as wait
     from webhook_events e join webhook_attempts a on a.event_id = e.id where e.account_id = $1`,
    [accountId],
  );
  // The rest is the time the record took.
  assert(rows[0].wait >= 4990 && rows[0].wait < 60_000, `${rows[0].wait} ms`);
});

test('a redirect is a failure and is not followed; 410 ends it', async () => {
  const elsewhere = await openReceiver();
  receiver.react = () => ({ status: 302, headers: { location: elsewhere.origin } });
  const { eventId } = await endBatch(t.db, accountId, receiver.origin);
  await send();
  const redirected = await delivery(({ attempts }) => attempts.length === 1, 'a failed attempt');
  assert.equal(redirected.status, 'pending');
  assert.equal(redirected.attempts[0]?.failure, 'The endpoint answered 302; redirects are not followed.');
  receiver.react = () => 410;
  await makeDue(t.db, eventId);
  const stopped = await delivery(({ status }) => status !== 'pending', 'an end');
  assert.equal(stopped.status, 'stopped');
  assert.equal(stopped.attempts[1]?.httpStatus, 410);
  assert.equal(elsewhere.requests.length, 0);
});

test('after 10 failed attempts it is given up; every attempt had the same bytes; resending starts again', async () => {
  receiver.react = () => 500;
  const { eventId } = await endBatch(t.db, accountId, receiver.origin);
  await send();
  for (let n = 1; n <= 10; n++) {
    await makeDue(t.db, eventId);
    await delivery(({ attempts }) => attempts.length === n, `attempt ${n}`);
  }
  const failed = await delivery(({ status }) => status !== 'pending', 'the end');
  assert.equal(failed.status, 'failed');
  assert.equal(failed.attempts[9]?.failure, 'The endpoint answered 500.');
  receiver.react = () => 200;
  assert(await resendEvent(t.db.pool, accountId, eventId));
  const delivered = await delivery(({ status }) => status === 'delivered', 'the delivery');
  assert.equal(delivered.attempts.length, 11);
  const [first] = receiver.requests as [Received];
  const secret = await readWebhookSecret(t.db, accountId);
  for (const request of receiver.requests) {
    verified(request, secret);
    assert(request.body.equals(first.body));
    assert.equal(request.headers['webhook-id'], toEventId(eventId));
  }
});

test('a delivered event is resent with the same id, only for its own account', async () => {
  const { eventId } = await endBatch(t.db, accountId, receiver.origin);
  await send();
  await delivery(({ status }) => status === 'delivered', 'the delivery');
  assert.equal(await resendEvent(t.db.pool, await newAccount(t.db, 0), eventId), false);
  assert.equal(await resendEvent(t.db.pool, accountId, eventId), true);
  await delivery(({ attempts }) => attempts.length === 2, 'another attempt');
  const [one, two] = receiver.requests as [Received, Received];
  assert(one.body.equals(two.body));
  assert.equal(one.headers['webhook-id'], two.headers['webhook-id']);
});

test('for 24 h after a rotation the old secret verifies too, then only the new one', async () => {
  const old = await readWebhookSecret(t.db, accountId);
  const { secret, previousUntil } = await rotateWebhookSecret(t.db.pool, accountId);
  assert.equal(await readWebhookSecret(t.db, accountId), secret);
  assert(Math.abs(previousUntil.getTime() - Date.now() - 86_400_000) < 60_000);
  await send();
  await endBatch(t.db, accountId, receiver.origin);
  await receiver.received(1);
  for (const each of [secret, old]) verified(receiver.requests[0]!, each);
  assert.match(
    receiver.requests[0]!.headers['webhook-signature'] as string,
    /^v1,[A-Za-z0-9+/=]{44} v1,[A-Za-z0-9+/=]{44}$/,
  );
  await t.db.pool.query('update accounts set previous_webhook_secret_until = now() where id = $1', [
    accountId,
  ]);
  await endBatch(t.db, accountId, receiver.origin);
  await receiver.received(2);
  verified(receiver.requests[1]!, secret);
  assert.throws(() => verified(receiver.requests[1]!, old), /No matching signature/);
});

test('events of a suspended account wait until it is restored', async () => {
  await setSuspended(t.db, accountId, true);
  await endBatch(t.db, accountId, receiver.origin);
  const other = await newAccount(t.db, 3);
  await send();
  const good = await openReceiver();
  await endBatch(t.db, other, good.origin);
  await good.received(1);
  assert.equal(receiver.requests.length, 0);
  await setSuspended(t.db, accountId, false);
  await receiver.received(1);
});

test('an account that is deleted during an attempt takes its events along', async () => {
  receiver.react = () => 'hang';
  await endBatch(t.db, accountId, receiver.origin);
  const stop = await send({ attemptMs: 1000 });
  await receiver.received(1);
  await t.db.pool.query('delete from accounts where id = $1', [accountId]);
  await eventually(() => receiver.hanging === 0, 'the end of the attempt');
  await stop();
  const { rowCount } = await t.db.pool.query('select 1 from webhook_attempts');
  assert.equal(rowCount, 0);
});

test('the address guard looks at every attempt', async () => {
  await endBatch(t.db, accountId, receiver.origin);
  await send({ allowPrivate: false });
  const refused = await delivery(({ attempts }) => attempts.length === 1, 'a failed attempt');
  assert.equal(refused.status, 'pending');
  assert.match(refused.attempts[0]!.failure!, /^The endpoint could not be reached: [^.]+\.$/);
  assert.equal(receiver.requests.length, 0);
});

test('an attempt that a shutdown breaks off counts for nothing and is made again at once', async () => {
  receiver.react = (_request, index) => (index === 0 ? 'hang' : 200);
  await endBatch(t.db, accountId, receiver.origin);
  const stop = await send();
  await receiver.received(1);
  await stop();
  assert.deepEqual((await deliveries())[0]?.attempts, []);
  await send();
  const told = await delivery(({ status }) => status === 'delivered', 'the delivery');
  assert.equal(told.attempts.length, 1);
});
