import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import type { ClaimedTask } from '../tasks/queue/claim-tasks.ts';
import { claimTask } from '../tasks/testing/claim-task.ts';
import { createTask } from '../tasks/create-task.ts';
import type { EndOptions } from '../tasks/end-task.ts';
import { finishTask } from '../tasks/finish-task.ts';
import { reap } from '../tasks/reap.ts';
import { MAX_ENGINE_DEATHS, returnTask } from '../tasks/return-task.ts';
import type { Task } from '../tasks/task.ts';
import { newAccount, newPhoto, resultWith } from '../tasks/testing/task-fixtures.ts';
import { inputsOf } from '../tasks/work-inputs.ts';
import { createEndedInputs, type EndedInputs } from './ended-inputs.ts';
import { LocalStorage } from './local-storage.ts';

let t: TestDatabase;
let root: string;
let storage: LocalStorage;
let endedInputs: EndedInputs;
let ending: EndOptions;

before(async () => {
  t = await createTestDatabase();
  root = await mkdtemp(path.join(os.tmpdir(), 'guise-ended-'));
  storage = await LocalStorage.open(root);
  endedInputs = createEndedInputs({ pool: t.db.pool, storage, onError: assert.ifError });
  ending = { inputRetentionMs: 0, onEnded: endedInputs.discard };
});
after(async () => {
  await t.close();
  await rm(root, { recursive: true, force: true });
});

interface Waiting {
  readonly task: Task;
  readonly keys: readonly string[];
}

/** A photo task whose uploads are really stored. */
async function submit(): Promise<Waiting> {
  const photo = await newPhoto(t.db, await newAccount(t.db, 3));
  const keys = inputsOf(photo.work).map(({ objectKey }) => objectKey);
  for (const key of keys) {
    const scratch = storage.scratch.newPath('jpg');
    await writeFile(scratch, 'photo');
    await storage.put(key, scratch);
  }
  return { task: (await createTask(t.db, photo)).task!, keys };
}

async function claim(): Promise<ClaimedTask> {
  return (await claimTask(t.db, { lanes: ['short'], leaseMs: 15_000 }))!;
}

const leaseOf = ({ id, leaseToken }: ClaimedTask) => ({ taskId: id, leaseToken });
const addressOf = ({ task }: Waiting) =>
  ({
    accountId: task.accountId,
    taskId: task.id,
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
  }) as const;

async function storedOf(keys: readonly string[]): Promise<{ files: number; rows: number }> {
  await endedInputs.settled();
  const sizes = await Promise.all(keys.map((key) => storage.sizeBytes(key)));
  const { rowCount } = await t.db.pool.query('select 1 from objects where key = any($1)', [keys]);
  return { files: sizes.filter((size) => size !== null).length, rows: rowCount! };
}

/** Every way in which a task ends. */
const ENDINGS: Record<string, (waiting: Waiting) => Promise<unknown>> = {
  completed: async () =>
    finishTask(t.db, leaseOf(await claim()), { status: 'COMPLETED', result: resultWith() }, ending),
  failed: async () =>
    finishTask(
      t.db,
      leaseOf(await claim()),
      { status: 'FAILED', code: 'NO_FACE_DETECTED', message: 'No face.' },
      ending,
    ),
  'cancelled while it waits': (waiting) => cancelTask(t.db, addressOf(waiting), ending),
  async 'cancelled while it is worked on'(waiting) {
    await claim();
    await cancelTask(t.db, addressOf(waiting), ending);
  },
  async 'given up after it killed its engines'() {
    for (let death = 0; death < MAX_ENGINE_DEATHS; death += 1) {
      await returnTask(t.db, leaseOf(await claim()), { engineDied: true, ...ending });
    }
  },
  async 'ended at its deadline'({ task }) {
    await claim();
    await t.db.pool.query(`update tasks set started_at = now() - interval '1 h' where id = $1`, [task.id]);
    await reap(t.db, { deadlineMs: 1000, ...ending });
  },
};

for (const [name, end] of Object.entries(ENDINGS)) {
  test(`uploads of a task that was ${name} are gone without a sweeper`, async () => {
    const waiting = await submit();
    assert.deepEqual(await storedOf(waiting.keys), { files: 2, rows: 2 });
    await end(waiting);
    assert.deepEqual(await storedOf(waiting.keys), { files: 0, rows: 0 });
  });
}

test('uploads that are kept for a while stay, also when a worker comes too late', async () => {
  const kept = await submit();
  const hour = { ...ending, inputRetentionMs: 3_600_000 };
  const lease = leaseOf(await claim());
  await cancelTask(t.db, addressOf(kept), hour);
  const tooLate = { status: 'COMPLETED', result: resultWith() } as const;
  assert.equal(await finishTask(t.db, lease, tooLate, ending), null);
  assert.deepEqual(await storedOf(kept.keys), { files: 2, rows: 2 });
});

test('uploads of all tasks that end during a deletion go with the next one', async (context) => {
  const [first, ...others] = await Promise.all(Array.from({ length: 40 }, submit));
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const sizes: number[] = [];
  const deleteAll = storage.deleteAll.bind(storage);
  context.mock.method(storage, 'deleteAll', async (keys: readonly string[]) => {
    sizes.push(keys.length);
    begun.resolve();
    await held.promise;
    return deleteAll(keys);
  });
  await cancelTask(t.db, addressOf(first!), ending);
  await begun.promise;
  await Promise.all(others.map((each) => cancelTask(t.db, addressOf(each), ending)));
  held.resolve();
  const keys = [first!, ...others].flatMap((each) => each.keys);
  assert.deepEqual(await storedOf(keys), { files: 0, rows: 0 });
  assert.deepEqual(sizes, [2, 78]);
});

test('a deletion that fails is said, leaves the rows to the sweeper, and the next one works', async (context) => {
  const errors: unknown[] = [];
  const own = createEndedInputs({ pool: t.db.pool, storage, onError: (error) => errors.push(error) });
  const failing = context.mock.method(storage, 'delete', () => Promise.reject(new Error('disk error')));
  const first = await submit();
  const options = { inputRetentionMs: 0, onEnded: own.discard };
  await cancelTask(t.db, addressOf(first), options);
  await own.settled();
  assert.match(String(errors), /2 of 2 files could not be deleted/);
  assert.deepEqual(await storedOf(first.keys), { files: 2, rows: 2 });
  failing.mock.restore();
  const second = await submit();
  await cancelTask(t.db, addressOf(second), options);
  await own.settled();
  assert.deepEqual(await storedOf(second.keys), { files: 0, rows: 0 });
});
