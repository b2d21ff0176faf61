import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { type Notifications, openNotifications } from '../db/notifications.ts';
import { claimTask } from './testing/claim-task.ts';
import { createTask } from './create-task.ts';
import { finishTask } from './finish-task.ts';
import { newAccount, newDetection } from './testing/task-fixtures.ts';
import { waitForTask } from './wait-for-task.ts';

let t: TestDatabase;
let notifications: Notifications;
before(async () => {
  t = await createTestDatabase();
  notifications = openNotifications(t.url);
  await notifications.connected;
});
after(async () => {
  await notifications.close();
  await t.close();
});

async function newHiddenTask(): Promise<string> {
  const { task } = await createTask(t.db, await newDetection(t.db, await newAccount(t.db, 0)));
  assert(task);
  return task.id;
}

async function finishNext(): Promise<void> {
  const task = await claimTask(t.db, { lanes: ['short'], leaseMs: 15_000 });
  assert(task);
  const result = { outputs: [], failures: [], images: [] };
  const lease = { taskId: task.id, leaseToken: task.leaseToken };
  await finishTask(t.db, lease, { status: 'COMPLETED', result }, { inputRetentionMs: 0 });
}

test('ends as soon as the task is finished by anybody', async () => {
  const taskId = await newHiddenTask();
  const waiting = waitForTask(t.db, notifications, taskId, { timeoutMs: 30_000 });
  await finishNext();
  const task = await waiting;
  assert.equal(task?.status, 'COMPLETED');
  assert.deepEqual(task.result?.images, []);
  // Finished before the wait began.
  assert.equal((await waitForTask(t.db, notifications, taskId, { timeoutMs: 0 }))?.status, 'COMPLETED');
});

test('a lost notification only delays it', async () => {
  const deaf: Notifications = { connected: Promise.resolve(), listen: () => () => {}, close: async () => {} };
  const taskId = await newHiddenTask();
  const waiting = waitForTask(t.db, deaf, taskId, { timeoutMs: 30_000 });
  await finishNext();
  assert.equal((await waiting)?.status, 'COMPLETED');
});

test('gives up after its time, when aborted, and for a task that is not there', async () => {
  const taskId = await newHiddenTask();
  assert.equal(await waitForTask(t.db, notifications, taskId, { timeoutMs: 20 }), null);
  const left = new AbortController();
  const waiting = waitForTask(t.db, notifications, taskId, { timeoutMs: 30_000, signal: left.signal });
  left.abort();
  assert.equal(await waiting, null);
  assert.equal(
    await waitForTask(t.db, notifications, taskId, { timeoutMs: 30_000, signal: left.signal }),
    null,
  );
  assert.equal(await waitForTask(t.db, notifications, randomUUID(), { timeoutMs: 30_000 }), null);
});
