import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Lane } from '@guise/contract/task.ts';
import { createTestDatabase, type TestDatabase } from '../../db/test-database.ts';
import { cancelTask } from '../cancel-task.ts';
import { claimTask } from '../testing/claim-task.ts';
import { type ClaimedTask, claimTasks } from './claim-tasks.ts';
import { WHOLE_QUEUE } from './lane-clock.ts';
import { createTask } from '../create-task.ts';
import { finishTask } from '../finish-task.ts';
import { newAccount, newPhoto } from '../testing/task-fixtures.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await createTestDatabase();
});
afterEach(() => t.close());

const BOTH: Lane[] = ['short', 'long'];
const take = (lanes: Lane[] = BOTH): Promise<ClaimedTask | null> =>
  claimTask(t.db, { lanes, leaseMs: 15_000 });

/**
 * Waiting photo tasks of made-up accounts, straight into the table as if all were created at once:
 * thousands of them in a moment.
 */
async function fillQueue(accounts: number, tasksEach: number, lane: Lane = 'short'): Promise<string[]> {
  const { rows } = await t.db.pool.query<{ id: string }>(
    `with a as (
       insert into accounts (email, webhook_secret, short_finish_tag)
       select gen_random_uuid() || '@example.com', 'x', $2 from generate_series(1, $1::int) returning id
     ), q as (
       insert into tasks
         (account_id, interface, type, lane, parameters, work, cost_credits, created_at, start_tag)
       select a.id, 'ai-tasks', 'IMAGE_SWAP', $3, '{}', '{"kind":"detect-faces","images":[]}', 0,
         now() + n * interval '1 ms', n - 1
       from generate_series(1, $2::int) n, a
     ) select id from a`,
    [accounts, tasksEach, lane],
  );
  return rows.map((row) => row.id);
}

/** Creates tasks that cost nothing, in their order. */
async function createFreeTasks(accountId: string, count: number): Promise<void> {
  const task = {
    accountId,
    interface: 'ai-tasks',
    type: 'DETECT_FACES',
    lane: 'short',
    parameters: {},
    work: { kind: 'detect-faces', images: [] },
    costCredits: 0,
  } as const;
  for (let n = 0; n < count; n++) await createTask(t.db, task);
}

/** Makes the tasks of a lane as old as this. */
async function setAge(lane: Lane, seconds: number): Promise<void> {
  const sql = `update tasks set created_at = now() - $2 * interval '1 s' where lane = $1`;
  await t.db.pool.query(sql, [lane, seconds]);
}

/** Claims one task after the other. */
async function takeAll(count: number): Promise<ClaimedTask[]> {
  const taken: ClaimedTask[] = [];
  while (taken.length < count) {
    const task = await take();
    assert(task);
    taken.push(task);
  }
  return taken;
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

test('several at a time come in the order of their tags, of one lane', async () => {
  await fillQueue(2, 3);
  await fillQueue(1, 1, 'long');
  const options = { lanes: ['short'] as Lane[], limit: 4, leaseMs: 15_000, from: WHOLE_QUEUE };
  const tags = (await claimTasks(t.db.pool, options)).map((task) => task.startTag);
  assert.deepEqual(tags, [0, 0, 1, 1]);
  assert.equal((await claimTasks(t.db.pool, options)).length, 2);
  assert.deepEqual(await claimTasks(t.db.pool, options), []);
});

test('nothing is looked for before the tags from which a claim begins', async () => {
  await fillQueue(1, 3);
  const options = { lanes: ['short'] as Lane[], limit: 9, leaseMs: 15_000 };
  const found = await claimTasks(t.db.pool, { ...options, from: { short: 1, long: 0 } });
  assert.deepEqual(
    found.map((task) => task.startTag),
    [1, 2],
  );
});

test('5,000 tasks of one account delay the few of fifty others by hardly anything', async () => {
  const [busy] = await fillQueue(1, 5000);
  await Promise.all(Array.from({ length: 50 }, async () => createFreeTasks(await newAccount(t.db, 0), 10)));
  const first = await takeAll(561);
  assert.equal(first.filter((task) => task.accountId !== busy).length, 500);
});

test('accounts get shares of a lane by the weights of their plans', async () => {
  const free = await newAccount(t.db, 0);
  const enterprise = await newAccount(t.db, 0);
  await t.db.pool.query(`update accounts set plan = 'enterprise' where id = $1`, [enterprise]);
  await Promise.all([createFreeTasks(free, 300), createFreeTasks(enterprise, 900)]);
  const taken = await takeAll(1000);
  const share = taken.filter((task) => task.accountId === enterprise).length / 1000;
  assert(Math.abs(share - 0.8) < 0.05, `enterprise got ${share}`);
});

test("a task takes as much of its account's share as it costs", async () => {
  const [dear, cheap] = [await newAccount(t.db, 100), await newAccount(t.db, 100)];
  const create = async (accountId: string, costCredits: number): Promise<void> => {
    await createTask(t.db, { ...(await newPhoto(t.db, accountId)), costCredits });
  };
  for (let n = 0; n < 3; n++) await create(dear, 10);
  for (let n = 0; n < 12; n++) await create(cheap, 1);
  const taken = await takeAll(12);
  assert.equal(taken.filter((task) => task.accountId === dear).length, 2);
});

test('of two lanes the one whose first task has waited longer for what it takes is served', async () => {
  await fillQueue(1, 3, 'long');
  await fillQueue(1, 3, 'short');
  await setAge('long', 60);
  await setAge('short', 1);
  assert.equal((await take())?.lane, 'long');
  await setAge('short', 10);
  assert.equal((await take())?.lane, 'short');
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

test('a cancellation under way is passed over, and the next task taken instead', async () => {
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

test('10,000 waiting tasks of 50 accounts are handed out in turn', async () => {
  const accounts = await fillQueue(50, 200);
  await t.db.pool.query('analyze tasks');
  const taken = await takeAll(200);
  const perAccount = accounts.map((id) => taken.filter((task) => task.accountId === id).length);
  assert.deepEqual(new Set(perAccount), new Set([4]));
});

test('a task of a kind that only a newer version knows is left to its workers, and keeps nobody waiting', async () => {
  const accountId = await newAccount(t.db, 10);
  await createFreeTasks(accountId, 2);
  const { rows } = await t.db.pool.query<{ id: string }>(
    'select id from tasks order by start_tag, created_at limit 1',
  );
  await t.db.pool.query('alter table tasks drop constraint tasks_type_check');
  await t.db.pool.query(`update tasks set type = 'SONG_SWAP' where id = $1`, [rows[0]!.id]);
  const [other, none] = [await take(), await take()];
  assert.notEqual(other?.id, rows[0]!.id);
  assert.equal(none, null);
  await t.db.pool.query(`update tasks set type = 'DETECT_FACES' where id = $1`, [rows[0]!.id]);
  assert.equal((await take())?.id, rows[0]!.id);
});
