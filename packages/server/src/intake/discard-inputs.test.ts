import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { untilLockWait } from '../db/testing/until-lock-wait.ts';
import { LocalStorage } from '../storage/local-storage.ts';
import { createTask } from '../tasks/create-task.ts';
import { newAccount, newPhoto } from '../tasks/testing/task-fixtures.ts';
import type { NewTask, StoredInput } from '../tasks/task.ts';
import { discardInputs } from './discard-inputs.ts';
import { storeInputs } from './store-inputs.ts';

let t: TestDatabase;
let folder: string;
let storage: LocalStorage;
before(async () => {
  t = await createTestDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'guise-discard-'));
  storage = await LocalStorage.open(folder);
});
after(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

async function photoInputs(accountId: string): Promise<{ photo: NewTask; inputs: StoredInput[] }> {
  const photo = await newPhoto(t.db, accountId);
  assert(photo.work.kind === 'swap-image');
  const paths = [storage.scratch.newPath('png'), storage.scratch.newPath('png')];
  for (const each of paths) await writeFile(each, 'bytes');
  const files = [photo.work.source, photo.work.target].map((input, index) => ({
    path: paths[index]!,
    extension: 'png',
    input,
  }));
  const inputs = await storeInputs(files, accountId, { pool: t.db.pool, storage });
  return { photo: { ...photo, work: { ...photo.work, source: inputs[0]!, target: inputs[1]! } }, inputs };
}

const sizes = (inputs: readonly StoredInput[]) =>
  Promise.all(inputs.map(({ objectKey }) => storage.sizeBytes(objectKey)));

async function rowsOf(inputs: readonly StoredInput[]): Promise<number | null> {
  const keys = inputs.map(({ objectKey }) => objectKey);
  return (await t.db.pool.query('select 1 from objects where key = any($1)', [keys])).rowCount;
}

test('files that no task took are deleted at once', async () => {
  const { inputs } = await photoInputs(await newAccount(t.db, 10));
  await discardInputs(inputs, { pool: t.db.pool, storage });
  assert.deepEqual(await sizes(inputs), [null, null]);
  assert.equal(await rowsOf(inputs), 0);
});

test('files of a task stay, though whoever made it never heard of its commit', async () => {
  const { photo, inputs } = await photoInputs(await newAccount(t.db, 10));
  await createTask(t.db, photo);
  await discardInputs(inputs, { pool: t.db.pool, storage });
  assert.deepEqual(await sizes(inputs), [5, 5]);
  assert.equal(await rowsOf(inputs), 2);
});

test('a task whose commit is still under way keeps its files as well', async () => {
  const { photo, inputs } = await photoInputs(await newAccount(t.db, 10));
  const client = await t.db.pool.connect();
  try {
    await client.query('begin');
    const inTransaction = { ...t.db, pool: client } as unknown as typeof t.db;
    await createTask(inTransaction, photo);
    const discarding = discardInputs(inputs, { pool: t.db.pool, storage });
    await untilLockWait(t.db.pool);
    await client.query('commit');
    await discarding;
  } finally {
    client.release();
  }
  assert.deepEqual(await sizes(inputs), [5, 5]);
  assert.equal(await rowsOf(inputs), 2);
});
