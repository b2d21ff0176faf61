import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteInBatches } from './delete-in-batches.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('all that meet the condition go, more than one batch of them, and nothing else', async () => {
  await t.db.pool.query('create table numbers as select n from generate_series(1, 30000) n');
  assert.equal(await deleteInBatches(t.db.pool, 'numbers', 'n <= $1', [25_000]), 25_000);
  const { rows } = await t.db.pool.query('select count(*) as left, min(n) as least from numbers');
  assert.deepEqual(rows, [{ left: 5000, least: 25_001 }]);
  assert.equal(await deleteInBatches(t.db.pool, 'numbers', 'n <= 20'), 0);
});
