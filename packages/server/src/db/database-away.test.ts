import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toAppError } from '../http/plugins/errors.ts';
import { type Database, openDatabase } from './database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { type Relay, startRelay } from './testing/relay.ts';

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

async function failureOf(db: Database, text: string): Promise<Error> {
  return db.pool.query(text).then(
    () => assert.fail(`${text} went well`),
    (error: Error) => error,
  );
}

test('a request that meets a database that is away is told to come again', async () => {
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
