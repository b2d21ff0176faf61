import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../db/test-database.ts';
import { createTask } from '../create-task.ts';
import { returnTask } from '../return-task.ts';
import { newAccount, newPhoto } from '../testing/task-fixtures.ts';
import type { Lane } from '@guise/contract/task.ts';
import type { ClaimedTask } from './claim-tasks.ts';
import { Claimer } from './claimer.ts';

let t: TestDatabase;
let claimer: Claimer;
beforeEach(async () => {
  t = await createTestDatabase();
  claimer = new Claimer(t.db.pool, 15_000);
});
afterEach(() => t.close());

/** Asks for a whole task. */
async function next(taskLanes: readonly Lane[]): Promise<ClaimedTask | null> {
  const claimed = await claimer.next({ taskLanes, partLanes: [], engine: 'any' });
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
