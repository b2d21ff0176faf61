import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../db/test-database.ts';
import { createTask } from '../create-task.ts';
import { returnTask } from '../return-task.ts';
import { createParts } from '../parts/create-parts.ts';
import { newAccount, newBatch, newPhoto } from '../testing/task-fixtures.ts';
import type { Lane } from '@guise/contract/task.ts';
import { type ClaimedTask, claimTasks } from './claim-tasks.ts';
import { type Claimed, Claimer, type Wanted } from './claimer.ts';
import { WHOLE_QUEUE } from './lane-clock.ts';

let t: TestDatabase;
let claimer: Claimer;
beforeEach(async () => {
  t = await createTestDatabase();
  claimer = new Claimer(t.db.pool, 15_000);
});
afterEach(() => t.close());

/** Asks for a whole task. */
async function next(taskLanes: readonly Lane[]): Promise<ClaimedTask | null> {
  const claimed = await claimer.next({ taskLanes, partLanes: [], engines: ['any'], networks: [] });
  return claimed?.kind === 'task' ? claimed.task : null;
}

async function createPhotos(count: number): Promise<string> {
  const owner = await newAccount(t.db, 1000);
  for (let n = 0; n < count; n++) await createTask(t.db, await newPhoto(t.db, owner));
  return owner;
}

async function virtualTime(): Promise<number> {
  const { rows } = await t.db.pool.query(`select virtual_time from queue_lanes where lane = 'short'`);
  return rows[0].virtual_time;
}

/** Repeats `action` until the condition holds, for a minute at most. */
async function until(isSo: () => Promise<boolean>, action: () => Promise<unknown>): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!(await isSo())) {
    assert(Date.now() < giveUpAt, 'it does not become so');
    await action();
  }
}

test('slots that ask at once get a task each, and the last one none', async () => {
  await createPhotos(5);
  const tasks = await Promise.all(Array.from({ length: 6 }, () => next(['short', 'long'])));
  assert.equal(new Set(tasks.map((task) => task?.id)).size, 6);
  assert.equal(tasks.filter((task) => task === null).length, 1);
});

test('the virtual time is that of what was claimed, and new tasks begin there', async () => {
  await createPhotos(5);
  await Promise.all([next(['short']), next(['short'])]);
  // It is written after the answer, and ten times a second at most.
  await until(
    async () => (await virtualTime()) > 0,
    () => next(['short']),
  );
  const before = await virtualTime();
  const quiet = await createPhotos(1);
  const { rows } = await t.db.pool.query('select start_tag from tasks where account_id = $1', [quiet]);
  assert(rows[0].start_tag >= before && rows[0].start_tag <= (await virtualTime()));
});

test('a task that came back to the queue is found though newer ones were claimed since', async () => {
  await createPhotos(3);
  const first = await next(['short']);
  assert(first);
  await next(['short']);
  const lease = { taskId: first.id, leaseToken: first.leaseToken };
  assert.equal(await returnTask(t.db, lease, { engineDied: false, inputRetentionMs: 0 }), 'returned');
  const ids = [await next(['short']), await next(['short'])].map((task) => task?.id);
  assert(ids.includes(first.id));
});

test('an error reaches every slot that asked', async () => {
  await t.db.pool.query('alter table tasks rename to hidden_tasks');
  const asked = await Promise.allSettled([next(['short']), next(['short'])]);
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await t.db.pool.query('alter table hidden_tasks rename to tasks');
  assert.equal(await next(['short']), null);
});

/** A batch of 300 credits in its leader's hands, of which so many items are offered. */
async function offerItems(count: number): Promise<void> {
  await createTask(t.db, { ...(await newBatch(t.db, await newAccount(t.db, 300))), costCredits: 300 });
  const options = { lanes: ['long'] as const, limit: 1, leaseMs: 15_000, from: WHOLE_QUEUE };
  const [task] = await claimTasks(t.db.pool, options);
  const parts = Array.from({ length: count }, (_, position) => {
    const place = position - (position % 8);
    return { position, work: {}, shareBefore: place / count };
  });
  const lease = { taskId: task!.id, leaseToken: task!.leaseToken };
  assert(await createParts(t.db, lease, { step: 'item', lane: 'long', engine: null, parts }));
}

const ANYTHING: Wanted = {
  taskLanes: ['short', 'long'],
  partLanes: ['short', 'long'],
  engines: ['any'],
  networks: [],
};

test('a batch of a hundred delays the photos and long tasks of fifty accounts by a few items', async () => {
  await offerItems(100);
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      const owner = await newAccount(t.db, 10);
      await createTask(t.db, await newPhoto(t.db, owner));
      await createTask(t.db, { ...(await newPhoto(t.db, owner)), lane: 'long' });
    }),
  );
  for (const table of ['tasks', 'task_parts']) {
    await t.db.pool.query(`update ${table} set created_at = now() - interval '10 s'`);
  }
  const order: string[] = [];
  for (let claimed = await claimer.next(ANYTHING); claimed !== null; claimed = await claimer.next(ANYTHING)) {
    order.push(claimed.kind === 'part' ? 'part' : claimed.task.lane);
  }
  assert.equal(order.filter((each) => each === 'part').length, 100);
  assert.equal(order.lastIndexOf('short'), 49);
  assert.equal(order.lastIndexOf('long'), 50 + 8 + 50 - 1);
});

test('parts are looked for when some are said to wait, and now and then all the same', async () => {
  assert.equal(await claimer.next(ANYTHING), null);
  await offerItems(2);
  claimer.partsMayWait('long');
  assert.equal((await claimer.next(ANYTHING))?.kind, 'part');
  assert.equal((await claimer.next(ANYTHING))?.kind, 'part');
  assert.equal(await claimer.next(ANYTHING), null);
  await offerItems(1);
  let found: Claimed | null = null;
  await until(
    async () => found !== null,
    async () => (found = await claimer.next(ANYTHING)),
  );
});

test('a slot for short work never takes a part of long work, nor one for another engine', async () => {
  await offerItems(2);
  claimer.partsMayWait('long');
  assert.equal(await claimer.next({ ...ANYTHING, taskLanes: ['short'], partLanes: ['short'] }), null);
  assert.equal((await claimer.next(ANYTHING))?.kind, 'part');
  await t.db.pool.query(`update task_parts set engine = 'another' where status = 'WAITING'`);
  assert.equal(await claimer.next(ANYTHING), null);
  claimer.partsMayWait('long');
  assert.equal((await claimer.next({ ...ANYTHING, engines: ['another'] }))?.kind, 'part');
});
