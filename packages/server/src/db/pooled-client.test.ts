import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { requireDatabase } from './require-database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { NO_PGBOUNCER, type PgBouncer, startPgBouncer } from './test-pgbouncer.ts';
import { inTransaction } from './transaction.ts';

const read = (name: string): string => `select current_setting('${name}') as value`;

describe('behind PgBouncer in transaction mode', { skip: NO_PGBOUNCER }, () => {
  let t: TestDatabase;
  let pgbouncer: PgBouncer;
  before(async () => {
    t = await createTestDatabase();
    pgbouncer = await startPgBouncer(t.url);
  });
  after(async () => {
    await pgbouncer.stop();
    await t.close();
  });

  test('statements that have a name are prepared on no connection of the server', async () => {
    const db = openDatabase(pgbouncer.url, { poolSize: 20, isPooled: true });
    try {
      const backends = await Promise.all(
        Array.from({ length: 200 }, async (_, n) => {
          const { rows } = await db.pool.query<{ n: number; pid: number }>({
            name: 'which-backend',
            text: 'select $1::int as n, pg_backend_pid() as pid from pg_sleep(0.005)',
            values: [n],
          });
          assert.equal(rows[0]!.n, n);
          return rows[0]!.pid;
        }),
      );
      assert(new Set(backends).size > 1, 'all ran on one connection, which shows nothing');
      const { rows } = await db.pool.query<{ statements: number }>(
        'select count(*) as statements from pg_prepared_statements',
      );
      assert.equal(rows[0]!.statements, 0);
    } finally {
      await db.close();
    }
  });

  test('a transaction has its timeouts, and leaves none behind', async () => {
    const db = openDatabase(pgbouncer.url, { poolSize: 1, isPooled: true, statementTimeoutMs: 7000 });
    try {
      await inTransaction(db.pool, async (client) => {
        assert.equal((await client.query(read('statement_timeout'))).rows[0].value, '7s');
        const idle = await client.query(read('idle_in_transaction_session_timeout'));
        assert.equal(idle.rows[0].value, '1min');
      });
      assert.equal((await db.pool.query(read('statement_timeout'))).rows[0].value, '0');
    } finally {
      await db.close();
    }
  });

  test('a schema that is up to date is seen as such', async () => {
    const db = openDatabase(pgbouncer.url, { poolSize: 1, isPooled: true });
    assert.deepEqual(await migrate(db).finally(() => db.close()), []);
  });

  test('without the setting the refusal names it', async () => {
    const db = openDatabase(pgbouncer.url, { poolSize: 1 });
    await assert.rejects(
      requireDatabase(db.pool).finally(() => db.close()),
      {
        name: 'DatabaseError',
        message:
          /^DATABASE_URL cannot be used: .*unsupported startup parameter.* set GUISE_DATABASE_POOLED=1\.$/,
      },
    );
  });
});
