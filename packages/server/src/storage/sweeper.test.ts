import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createAccount } from '../accounts/create-account.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { LocalStorage } from './local-storage.ts';
import { registerObjects } from './objects.ts';
import { startSweeper } from './sweeper.ts';
import { newStorageKey } from './storage.ts';

let t: TestDatabase;
let root: string;
let storage: LocalStorage;
let accountId: string;

before(async () => {
  t = await createTestDatabase();
  root = await mkdtemp(path.join(os.tmpdir(), 'guise-sweep-'));
  storage = await LocalStorage.open(root);
  const account = {
    email: 'sweep@example.com',
    plan: 'free',
    emailVerified: true,
    startingCredits: 0,
  } as const;
  ({ id: accountId } = await createAccount(t.db, account));
});
after(async () => {
  await t.close();
  await rm(root, { recursive: true, force: true });
});

async function registered(deleteAfter: Date): Promise<string> {
  const key = newStorageKey('output', 'png');
  await registerObjects(t.db.pool, [
    { key, kind: 'output', accountId, taskId: null, sizeBytes: 1, deleteAfter },
  ]);
  return key;
}

async function stored(deleteAfter: Date): Promise<string> {
  const key = await registered(deleteAfter);
  const scratch = storage.scratch.newPath('png');
  await writeFile(scratch, 'x');
  await storage.put(key, scratch);
  return key;
}

const onError = (error: unknown): void => assert.fail(String(error));

test('what is due goes, bytes and row, more than one batch of it; what is not due stays', async () => {
  const due = await Promise.all(Array.from({ length: 250 }, () => stored(new Date(Date.now() - 1000))));
  const kept = await stored(new Date(Date.now() + 60_000));
  let pruned = 0;
  const prune = async (): Promise<void> => void (pruned += 1);
  const sweeper = startSweeper({ pool: t.db.pool, storage, prune, onError });
  await sweeper.sweepNow();
  await sweeper.stop();
  for (const key of due) assert.equal(await storage.sizeBytes(key), null);
  assert.equal(await storage.sizeBytes(kept), 1);
  const { rows } = await t.db.pool.query<{ key: string }>('select key from objects');
  assert.deepEqual(rows, [{ key: kept }]);
  assert.ok(pruned >= 1);
});

test('what cannot be deleted stays registered, and holds up nothing behind it', async (context) => {
  const due = await Promise.all(Array.from({ length: 1200 }, (_, n) => registered(new Date(n))));
  const stuck = new Set(due.slice(0, 1000));
  const batches: number[] = [];
  const deleteAll = storage.deleteAll.bind(storage);
  const failing = context.mock.method(storage, 'deleteAll', async (keys: readonly string[]) => {
    batches.push(keys.length);
    await deleteAll(keys.filter((key) => !stuck.has(key)));
    return keys.filter((key) => stuck.has(key)).map((key) => ({ key, cause: new Error('no') }));
  });
  const errors: unknown[] = [];
  const sweeper = startSweeper({
    pool: t.db.pool,
    storage,
    prune: async () => {},
    onError: (error) => errors.push(error),
  });
  await assert.rejects(sweeper.sweepNow(), /1000 of 1000 files could not be deleted/);
  assert.deepEqual(batches, [1000, 200]);
  const left = await t.db.pool.query('select 1 from objects where key = any($1)', [due]);
  assert.equal(left.rowCount, 1000);
  failing.mock.restore();
  await sweeper.stop();
  const again = startSweeper({ pool: t.db.pool, storage, prune: async () => {}, onError });
  await again.sweepNow();
  await again.stop();
  assert.equal((await t.db.pool.query('select 1 from objects where key = any($1)', [due])).rowCount, 0);
});

test('a registered file whose bytes never came is forgotten', async () => {
  const key = newStorageKey('input', 'jpg');
  await registerObjects(t.db.pool, [
    { key, kind: 'input', accountId, taskId: null, sizeBytes: 1, deleteAfter: new Date(0) },
  ]);
  const sweeper = startSweeper({ pool: t.db.pool, storage, prune: async () => {}, onError });
  await sweeper.sweepNow();
  await sweeper.stop();
  assert.equal((await t.db.pool.query('select 1 from objects where key = $1', [key])).rowCount, 0);
});

test('of two sweepers at once one does the work', async () => {
  let inside = 0;
  let most = 0;
  const prune = async (): Promise<void> => {
    most = Math.max(most, (inside += 1));
    await t.db.pool.query('select pg_sleep(0.05)');
    inside -= 1;
  };
  const sweepers = Array.from({ length: 3 }, () =>
    startSweeper({ pool: t.db.pool, storage, prune, onError }),
  );
  await Promise.all(sweepers.map((each) => each.sweepNow()));
  await Promise.all(sweepers.map((each) => each.stop()));
  assert.equal(most, 1);
});
