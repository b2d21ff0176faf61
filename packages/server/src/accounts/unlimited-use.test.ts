import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { openDatabase } from '../db/database.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { newAccount } from '../tasks/testing/task-fixtures.ts';
import { readRateUse } from './rate-use.ts';
import { clearOfMidnight } from './testing/clear-of-midnight.ts';
import { countUnlimitedUse } from './unlimited-use.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
beforeEach(clearOfMidnight);
after(() => t.close());

const fail = (error: unknown): never => assert.fail(error as Error);

async function usedOf(accountId: string): Promise<number[]> {
  return (await readRateUse(t.db, accountId, 'enterprise')).map(({ used }) => used);
}

test('several processes count together, by the minute and by the day', async () => {
  const accountId = await newAccount(t.db, 0);
  const processes = [countUnlimitedUse(t.db, fail), countUnlimitedUse(t.db, fail)];
  for (const use of processes) for (let n = 0; n < 100; n++) use.count(accountId, n < 60 ? 'v1' : 'ai-tasks');
  assert.deepEqual(await usedOf(accountId), [0, 0, 0, 0]);
  await Promise.all(processes.map((use) => use.flush()));
  assert.deepEqual(await usedOf(accountId), [80, 0, 120, 120]);
  await processes[0]!.flush();
  assert.deepEqual(await usedOf(accountId), [80, 0, 120, 120]);
  await t.db.pool.query(`update request_windows set started_at = now() - interval '61 s', day = day - 1`);
  assert.deepEqual(await usedOf(accountId), [0, 0, 0, 0]);
  processes[0]!.count(accountId, 'v1');
  await processes[0]!.flush();
  assert.deepEqual(await usedOf(accountId), [0, 0, 1, 1]);
});

test('an account that is gone and a database that is away hurt nobody', async () => {
  const accountId = await newAccount(t.db, 0);
  const use = countUnlimitedUse(t.db, fail);
  use.count(randomUUID(), 'v1');
  use.count(accountId, 'v1');
  await use.flush();
  assert.deepEqual(await usedOf(accountId), [0, 0, 1, 1]);
  const closed = openDatabase(t.url, { poolSize: 1 });
  await closed.close();
  const errors: unknown[] = [];
  const away = countUnlimitedUse(closed, (error) => errors.push(error));
  away.count(accountId, 'v1');
  await away.flush();
  assert.equal(errors.length, 1);
});
