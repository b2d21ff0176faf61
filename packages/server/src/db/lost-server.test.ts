import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from './database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { type Relay, startRelay } from './testing/relay.ts';
import { inTransaction } from './transaction.ts';

let t: TestDatabase;
let relay: Relay;
before(async () => {
  t = await createTestDatabase();
  relay = await startRelay(t.url);
});
after(async () => {
  await relay.close();
  await t.close();
});

test('a pool goes on with the server that is there after a cut', async () => {
  const broken: Error[] = [];
  const db = openDatabase(relay.url, { poolSize: 2, onIdleError: (error) => broken.push(error) });
  try {
    await db.pool.query('select 1');
    relay.cut();
    await assert.rejects(db.pool.query('select 1'));
    relay.pointTo(t.url);
    assert.deepEqual((await db.pool.query('select 1 as one')).rows, [{ one: 1 }]);
  } finally {
    await db.close();
  }
});

test('a connection that breaks while it is in use ends its query, and not the process', async () => {
  relay.pointTo(t.url);
  const db = openDatabase(relay.url, { poolSize: 1 });
  try {
    // As a query builder holds one: without a listener of its own.
    const client = await db.pool.connect();
    await client.query('select 1');
    const ended = new Promise((resolve) => client.once('end', resolve));
    relay.cut();
    await ended;
    await assert.rejects(client.query('select 1'));
    client.release(true);
    relay.pointTo(t.url);
    assert.deepEqual((await db.pool.query('select 1 as one')).rows, [{ one: 1 }]);
  } finally {
    await db.close();
  }
});

test('a server that falls silent is given up, by a statement and by a transaction', async () => {
  const db = openDatabase(relay.url, { poolSize: 1, statementTimeoutMs: 500, answerGraceMs: 100 });
  try {
    await db.pool.query('select 1');
    relay.silence();
    await assert.rejects(db.pool.query('select 1'), /Query read timeout/);
    await assert.rejects(
      inTransaction(db.pool, async (client) => {
        relay.silence();
        await client.query('select 1');
      }),
      /Query read timeout/,
    );
    assert.deepEqual((await db.pool.query('select 1 as one')).rows, [{ one: 1 }]);
  } finally {
    await db.close();
  }
});

test('a transaction on a server that only follows another leaves its connection', async () => {
  const db = openDatabase(t.url, { poolSize: 1 });
  const backend = async (): Promise<number> =>
    (await db.pool.query('select pg_backend_pid() as pid')).rows[0].pid;
  try {
    const first = await backend();
    await assert.rejects(
      inTransaction(db.pool, async (client) => {
        await client.query('set transaction read only');
        await client.query('delete from leases');
      }),
      { code: '25006' },
    );
    assert.notEqual(await backend(), first);
  } finally {
    await db.close();
  }
});
