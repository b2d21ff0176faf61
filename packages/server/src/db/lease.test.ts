import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { underLease } from './lease.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('while one works under a name, others do not; under another name they do', async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const first = underLease(t.db.pool, 'a', async () => {
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  assert.equal(await underLease(t.db.pool, 'a', () => assert.fail('two at once')), false);
  assert.equal(await underLease(t.db.pool, 'b', async () => {}), true);
  end.resolve();
  assert.equal(await first, true);
  assert.equal(await underLease(t.db.pool, 'a', async () => {}), true);
});

test('work that fails gives the lease back', async () => {
  await assert.rejects(
    underLease(t.db.pool, 'c', () => Promise.reject(new Error('failed'))),
    /^Error: failed$/,
  );
  assert.equal(await underLease(t.db.pool, 'c', async () => {}), true);
});

test('the lease of a process that died ends by itself, and not before', async () => {
  const leave = (until: string): Promise<unknown> =>
    t.db.pool.query(
      `insert into leases (name, holder, until) values ('d', gen_random_uuid(), clock_timestamp() + $1::interval)
       on conflict (name) do update set until = excluded.until`,
      [until],
    );
  await leave('10 s');
  assert.equal(await underLease(t.db.pool, 'd', async () => {}), false);
  await leave('-1 s');
  assert.equal(await underLease(t.db.pool, 'd', async () => {}), true);
});
