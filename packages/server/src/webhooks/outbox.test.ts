import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { inTransaction } from '../db/transaction.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { endTask } from '../tasks/end-task.ts';
import { lockAddressedTask } from '../tasks/lock-task.ts';
import { reap } from '../tasks/reap.ts';
import { newAccount } from '../tasks/testing/task-fixtures.ts';
import { listDeliveries } from './list-deliveries.ts';
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
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await listDeliveries(t.db, accountId, cursor, 2);
    seen.push(...page.deliveries.map(({ eventId }) => eventId));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== null);
  assert.deepEqual(seen, ids);
  assert.equal(pages, 3);
  const first = (await listDeliveries(t.db, accountId, 'made up')).deliveries;
  assert.deepEqual(
    first.map(({ eventId }) => eventId),
    ids,
  );
  assert(first[0]!.nextAttemptAt! <= new Date());
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
