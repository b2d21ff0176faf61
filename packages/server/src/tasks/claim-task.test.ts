import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Lane } from '@guise/contract/task.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { cancelTask } from './cancel-task.ts';
import { type ClaimedTask, claimTask } from './claim-task.ts';
import { createTask } from './create-task.ts';
import { finishTask } from './finish-task.ts';
import { newAccount, newPhoto } from './testing/task-fixtures.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await createTestDatabase();
});
afterEach(() => t.close());

const BOTH: Lane[] = ['short', 'long'];
const take = (lanes: Lane[] = BOTH): Promise<ClaimedTask | null> =>
  claimTask(t.db, { lanes, leaseMs: 15_000 });

/**
 * Waiting photo tasks of made-up accounts, straight into the table: thousands of them in a moment.
 */
async function fillQueue(accounts: number, tasksEach: number, lane: Lane = 'short'): Promise<string[]> {
  const { rows } = await t.db.pool.query<{ id: string }>(
    `with a as (
       insert into accounts (email, webhook_secret)
       select gen_random_uuid() || '@example.com', 'x' from generate_series(1, $1::int) returning id
     ), q as (
       insert into tasks (account_id, interface, type, lane, parameters, work, cost_credits, created_at)
       select a.id, 'ai-tasks', 'IMAGE_SWAP', $3, '{}', '{"kind":"detect-faces","images":[]}', 0, now() + n * interval '1 ms'
       from generate_series(1, $2::int) n, a
     ) select id from a`,
    [accounts, tasksEach, lane],
  );
  return rows.map((row) => row.id);
}

async function finish(task: ClaimedTask): Promise<void> {
  const outcome = { status: 'COMPLETED', result: { outputs: [], failures: [] } } as const;
  const done = await finishTask(t.db, { taskId: task.id, leaseToken: task.leaseToken }, outcome, {
    inputRetentionMs: 0,
  });
  assert(done);
}

test('no task is claimed twice, however many claim at once', async () => {
  await fillQueue(5, 10);
  const claimed = await Promise.all(Array.from({ length: 80 }, () => take()));
  const ids = claimed.flatMap((task) => (task ? [task.id] : []));
  assert.equal(ids.length, 50);
  assert.equal(new Set(ids).size, 50);
});

test('claims at once are spread evenly over the accounts', async () => {
  const accounts = await fillQueue(4, 100);
  const claimed = await Promise.all(Array.from({ length: 12 }, () => take()));
  const perAccount = accounts.map((id) => claimed.filter((task) => task?.accountId === id).length);
  assert.deepEqual(perAccount, [3, 3, 3, 3]);
});

test('an account with a thousand tasks waiting does not delay another one with a single task', async () => {
  const [busy] = await fillQueue(1, 1000);
  for (let n = 0; n < 3; n++) assert.equal((await take())?.accountId, busy);
  const [quiet] = await fillQueue(1, 1);
  assert.equal((await take())?.accountId, quiet);
});

test('with one worker accounts take turns, and within an account the oldest task is first', async () => {
  const accounts = await fillQueue(3, 4);
  const order: string[] = [];
  const lastOf = new Map<string, number>();
  for (let n = 0; n < 12; n++) {
    const task = await take();
    assert(task);
    order.push(task.accountId);
    assert(task.createdAt.getTime() > (lastOf.get(task.accountId) ?? 0));
    lastOf.set(task.accountId, task.createdAt.getTime());
    await finish(task);
  }
  for (let round = 0; round < 12; round += 3) {
    assert.deepEqual(order.slice(round, round + 3).sort(), [...accounts].sort());
  }
});

test('a slot kept for short work never takes long work', async () => {
  await fillQueue(3, 3, 'long');
  assert.equal(await take(['short']), null);
  const [shortAccount] = await fillQueue(1, 1, 'short');
  assert.equal((await take(['short']))?.accountId, shortAccount);
  assert.equal(await take(['short']), null);
  assert.equal((await take())?.lane, 'long');
});

test('a cancellation under way is waited for, and the next task taken instead', async () => {
  const accountId = await newAccount(t.db, 10);
  const first = await createTask(t.db, await newPhoto(t.db, accountId));
  const second = await createTask(t.db, await newPhoto(t.db, accountId));
  const address = {
    accountId,
    taskId: first.task?.id ?? '',
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
  } as const;
  const [cancelled, claimed] = await Promise.all([
    cancelTask(t.db, address, { inputRetentionMs: 0 }),
    take(),
  ]);
  assert.equal(cancelled?.status, 'CANCELLED');
  assert(claimed?.id === second.task?.id || claimed?.id === first.task?.id);
  const { rows } = await t.db.pool.query(
    'select status from tasks where account_id = $1 order by created_at',
    [accountId],
  );
  assert.equal(rows[0].status, 'CANCELLED');
});

test('10,000 waiting tasks of 50 accounts: claims read a few index entries an account', async () => {
  await fillQueue(50, 200);
  await t.db.pool.query('analyze tasks');
  const startedAt = performance.now();
  const claims = 200;
  for (let n = 0; n < claims; n++) assert(await take());
  const eachMs = (performance.now() - startedAt) / claims;
  const { rows } = await t.db.pool.query(
    `select count(*) as n from tasks where status = 'PROCESSING' group by account_id`,
  );
  assert.deepEqual(new Set(rows.map((row) => row.n)), new Set([4]));
  console.log(`# ${eachMs.toFixed(2)} ms a claim`);
});
