import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createApiKey, hashApiKey } from '../accounts/api-keys.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { admitAndReadTask, type PollRequest } from './admit-and-read-task.ts';
import { createTask } from './create-task.ts';
import { newAccount, newDetection, newPhoto } from './testing/task-fixtures.ts';

let t: TestDatabase;
let reads: Database;
before(async () => {
  t = await createTestDatabase();
  reads = openDatabase(t.url, { poolSize: 4, durable: false });
});
after(async () => {
  await reads.close();
  await t.close();
});

async function pollOf(accountId: string, taskId: string | null): Promise<PollRequest> {
  const keyHash = hashApiKey((await createApiKey(t.db.pool, accountId, 'poll')).secret);
  assert(keyHash);
  return {
    keyHash,
    bucket: 'ai-tasks:read',
    clientAddress: null,
    taskId,
    interface: 'ai-tasks',
    types: ['IMAGE_SWAP'],
  };
}

test('a poll is admitted, counted and answered in one statement that does not wait for the disk', async () => {
  const accountId = await newAccount(t.db, 10);
  const { task } = await createTask(t.db, await newPhoto(t.db, accountId));
  assert(task);
  const poll = await pollOf(accountId, task.id);
  const first = await admitAndReadTask(reads, poll);
  assert.deepEqual(first.task, task);
  assert.equal(first.account?.id, accountId);
  assert.equal(first.rate?.remaining, 99);
  assert.equal((await admitAndReadTask(reads, poll)).rate?.remaining, 98);
  const either = await admitAndReadTask(reads, { ...poll, types: ['VIDEO_SWAP', 'IMAGE_SWAP'] });
  assert.equal(either.task?.id, task.id);
  const { rows } = await reads.pool.query('show synchronous_commit');
  assert.equal(rows[0].synchronous_commit, 'off');
});

test("unknown, another account's, another workflow's and hidden tasks are all the same nothing", async () => {
  const accountId = await newAccount(t.db, 10);
  const { task } = await createTask(t.db, await newPhoto(t.db, accountId));
  const hidden = await createTask(t.db, await newDetection(t.db, accountId));
  assert(task && hidden.task);
  const poll = await pollOf(accountId, task.id);
  const misses: PollRequest[] = [
    { ...poll, taskId: randomUUID() },
    { ...poll, taskId: null },
    { ...poll, taskId: hidden.task.id },
    { ...poll, types: ['GIF_FACE_SWAP', 'VIDEO_SWAP'] },
    { ...poll, types: [] },
    { ...poll, interface: 'v1' },
    await pollOf(await newAccount(t.db, 0), task.id),
  ];
  for (const miss of misses) {
    const answer = await admitAndReadTask(reads, miss);
    assert.equal(answer.task, null);
    assert(answer.account && answer.rate?.allowed);
  }
  const stranger = await admitAndReadTask(reads, { ...poll, keyHash: Buffer.alloc(32) });
  assert.deepEqual(stranger, { account: null, rate: null, addressAllowed: false, task: null });
});
