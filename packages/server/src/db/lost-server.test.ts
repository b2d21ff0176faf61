import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toAppError } from '../http/plugins/errors.ts';
import { type Database, openDatabase } from './database.ts';
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

async function failureOf(db: Database, text: string): Promise<Error> {
  return db.pool.query(text).then(
    () => assert.fail(`${text} went well`),
    (error: Error) => error,
  );
}

test('a request that meets a database that is away is told to come again', async () => {
  relay.pointTo(t.url);
  const cut = openDatabase(relay.url, { poolSize: 1 });
  const absent = openDatabase('postgres://guise@127.0.0.1:1/none', { poolSize: 1 });
  try {
    const { rows } = await cut.pool.query('select pg_backend_pid() as pid');
    const ended = failureOf(cut, 'select pg_sleep(60)');
    while (
      (
        await t.db.pool.query(`select 1 from pg_stat_activity where pid = $1 and state = 'active'`, [
          rows[0].pid,
        ])
      ).rowCount === 0
    );
    await t.db.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
    const sleeping = failureOf(cut, 'select pg_sleep(60)');
    const failures = [await ended, await failureOf(absent, 'select 1')];
    relay.cut();
    failures.push(await sleeping);
    for (const error of failures) assert.equal(toAppError(error).code, 'BUSY', String(error));
    assert.equal(toAppError(await failureOf(t.db, 'select nothing')).code, 'INTERNAL_ERROR');
  } finally {
    await cut.close();
    await absent.close();
  }
});
