import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '../db/database.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { inTransaction } from '../db/transaction.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { endTask } from '../tasks/end-task.ts';
import { lockAddressedTask } from '../tasks/lock-task.ts';
import { reap } from '../tasks/reap.ts';
import { newAccount } from '../tasks/testing/task-fixtures.ts';
import { createLogger } from '../telemetry/log.ts';
import { attemptEvent } from './attempt-event.ts';
import { claimEvents } from './claim-events.ts';
import { listDeliveries, MAX_ATTEMPTS_LISTED } from './list-deliveries.ts';
import { parseEventId, toEventId } from './event-id.ts';
import { pruneEvents } from './prune-events.ts';
import { endBatch, eventOf, startBatch } from './testing/sender-rig.ts';

const RETENTION = { inputRetentionMs: 0 };
const URL = 'https://hooks.example:8443/told?a=1';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const address = (accountId: string, taskId: string) =>
  ({ accountId, taskId, interface: 'v1', type: 'BATCH_FACE_SWAP' }) as const;

async function eventRow(taskId: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await t.db.pool.query(
    'select event, url, origin, status, body from webhook_events where task_id = $1',
    [taskId],
  );
  return rows[0];
}

test('an event is there exactly when the task has ended, and only where a webhook was asked for', async () => {
  const accountId = await newAccount(t.db, 100);
  const taskId = await startBatch(t.db, accountId, URL);
  assert.equal(await eventOf(t.db, taskId), null);
  const ending = { status: 'FAILED', code: 'DECODE_FAILED', message: 'It could not be read.' } as const;
  await assert.rejects(
    inTransaction(t.db.pool, async (client) => {
      const before = await lockAddressedTask(client, address(accountId, taskId));
      assert(await endTask(client, before!, ending, RETENTION));
      throw new Error('killed');
    }),
    /killed/,
  );
  assert.equal(await eventOf(t.db, taskId), null);
  await inTransaction(t.db.pool, async (client) =>
    endTask(client, (await lockAddressedTask(client, address(accountId, taskId)))!, ending, RETENTION),
  );
  assert.deepEqual(await eventRow(taskId), {
    event: 'batch_swap.failed',
    url: URL,
    origin: 'https://hooks.example:8443',
    status: 'pending',
    body: null,
  });
  const silent = await startBatch(t.db, accountId);
  await cancelTask(t.db, address(accountId, silent), RETENTION);
  assert.equal(await eventOf(t.db, silent), null);
});

test('a cancelled batch and one past its deadline are told as failed, once', async () => {
  const accountId = await newAccount(t.db, 100);
  const cancelled = await startBatch(t.db, accountId, URL);
  await cancelTask(t.db, address(accountId, cancelled), RETENTION);
  await cancelTask(t.db, address(accountId, cancelled), RETENTION);
  assert.equal((await eventRow(cancelled))?.event, 'batch_swap.failed');
  const overdue = await startBatch(t.db, accountId, URL);
  await t.db.pool.query(`update tasks set started_at = now() - interval '1 hour' where id = $1`, [overdue]);
  assert.equal((await reap(t.db, { deadlineMs: 1000, ...RETENTION })).expired, 1);
  assert.equal((await eventRow(overdue))?.event, 'batch_swap.failed');
});

test('deliveries are listed page by page, the newest first, of one account', async () => {
  const accountId = await newAccount(t.db, 100);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(toEventId((await endBatch(t.db, accountId, URL)).eventId));
  await endBatch(t.db, await newAccount(t.db, 3), URL);
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const before = cursor === '' ? {} : { before: Number(cursor) };
    const page = await listDeliveries(t.db, accountId, { limit: 2, ...before });
    seen.push(...page.deliveries.map(({ eventId }) => eventId));
    cursor = page.nextCursor;
  }
  assert.deepEqual(seen, ids);
  assert.equal(pages, 3);
  const first = (await listDeliveries(t.db, accountId, { limit: 1 })).deliveries;
  assert(first[0]!.nextAttemptAt! <= new Date());
});

test('of an event that was resent again and again the latest attempts are listed, and how many there were', async () => {
  const accountId = await newAccount(t.db, 3);
  const { eventId } = await endBatch(t.db, accountId, URL);
  await t.db.pool.query(
    `insert into webhook_attempts (event_id, started_at, duration_ms, http_status, failure)
     select $1, now(), n, 500, 'It answered 500.' from generate_series(1, $2) n`,
    [eventId, MAX_ATTEMPTS_LISTED + 7],
  );
  const [only] = (await listDeliveries(t.db, accountId, { limit: 1 })).deliveries;
  assert.equal(only!.attemptCount, MAX_ATTEMPTS_LISTED + 7);
  const took = only!.attempts.map(({ durationMs }) => durationMs);
  assert.deepEqual(
    took,
    Array.from({ length: MAX_ATTEMPTS_LISTED }, (_each, n) => n + 8),
  );
});

test('our own database failing is no attempt of the endpoint; an event that cannot be rendered is one', async () => {
  const accountId = await newAccount(t.db, 3);
  const { eventId } = await endBatch(t.db, accountId, URL);
  const options = { capacity: 100, perEndpoint: 100, perAccount: 100, leaseMs: 60_000 };
  const event = (await claimEvents(t.db, options)).find(({ id }) => id === eventId)!;
  const closed = openDatabase(t.url, { poolSize: 1 });
  await closed.close();
  const deps = {
    db: closed,
    client: { post: () => assert.fail('it was posted') },
    present: () => assert.fail('it was rendered'),
    log: createLogger({ level: 'silent', name: 'test' }),
    random: () => 0.5,
    attemptMs: 1000,
  };
  await assert.rejects(attemptEvent(deps, event, new AbortController().signal));
  const read = async () => (await listDeliveries(t.db, accountId, { limit: 1 })).deliveries[0]!;
  assert.equal((await read()).attemptCount, 0);
  await attemptEvent({ ...deps, db: t.db }, event, new AbortController().signal);
  const { status, attempts } = await read();
  assert.deepEqual(
    [status, attempts.map(({ failure }) => failure)],
    ['pending', ['The event could not be sent.']],
  );
});

test('events go after 30 days, but for one that is being attempted', async () => {
  const accountId = await newAccount(t.db, 100);
  const [old, leased, fresh] = [
    await endBatch(t.db, accountId, URL),
    await endBatch(t.db, accountId, URL),
    await endBatch(t.db, accountId, URL),
  ];
  await t.db.pool.query(
    `update webhook_events set created_at = now() - interval '31 days' where id = any($1)`,
    [[old.eventId, leased.eventId]],
  );
  await t.db.pool.query(`update webhook_events set lease_token = gen_random_uuid() where id = $1`, [
    leased.eventId,
  ]);
  assert.equal(await pruneEvents(t.db), 1);
  assert.equal(await eventOf(t.db, old.taskId), null);
  assert(await eventOf(t.db, leased.taskId));
  assert(await eventOf(t.db, fresh.taskId));
});

test('an event id reads back as the uuid, and nothing else does', () => {
  const uuid = '00112233-4455-6677-8899-aabbccddeeff';
  assert.equal(toEventId(uuid), 'evt_00112233445566778899aabbccddeeff');
  assert.equal(parseEventId(toEventId(uuid)), uuid);
  for (const text of [uuid, 'evt_', toEventId(uuid).toUpperCase(), `${toEventId(uuid)}0`, 'job_00'])
    assert.equal(parseEventId(text), null);
});
