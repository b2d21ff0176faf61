import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { openDatabase, type Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { migrate, MIGRATIONS_DIR } from './migrate.ts';
import { startPgBouncer } from './test-pgbouncer.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Drops the database. The last test file that uses the server stops it. */
  close(): Promise<void>;
}

/** Age after which the databases of a killed test run are deleted. */
const LEFTOVER_MS = 3_600_000;

/** Number of the advisory lock under which the template is made. */
const TEMPLATE_LOCK = 0x74_65_73_74;

/**
 * Creates a migrated database for one test file, on a real PostgreSQL: `GUISE_TEST_DATABASE_URL` (a
 * role that may create databases), or else an embedded server that all test files share. It is a
 * clone of a template, which is migrated once for each state of the migrations. With
 * `GUISE_TEST_DATABASE_POOLED=1`, `db` connects through a PgBouncer.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await openTestServer();
  const admin = new Client({ connectionString: server.url });
  try {
    await admin.connect();
    await dropLeftovers(admin);
    const template = await ensureTemplate(admin, server.url);
    const name = `guise_test_${Date.now()}_${randomBytes(4).toString('hex')}`;
    await admin.query(`create database ${name} template ${template}`);
    const url = withDatabase(server.url, name);
    const pooler = process.env.GUISE_TEST_DATABASE_POOLED === '1' ? await startPgBouncer(url) : null;
    const db = openDatabase(pooler?.url ?? url, { poolSize: 10, isPooled: pooler !== null });
    return {
      url,
      db,
      async close() {
        await db.close();
        await pooler?.stop();
        await admin.query(`drop database if exists ${name} with (force)`);
        await admin.end();
        await server.stop();
      },
    };
  } catch (error) {
    await admin.end().catch(() => {});
    await server.stop();
    throw error;
  }
}

async function openTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.GUISE_TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  // The folder is outside of the repository, which an unprivileged user may be unable to reach.
  const dataDir = path.join(tmpdir(), `guise-test-postgres-${process.getuid?.() ?? 0}`);
  // The data need not survive, so nothing waits for the disk.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'on',
    full_page_writes: 'off',
    max_connections: '300',
  };
  return openEmbedded(dataDir, { role: 'visitor', settings });
}

/** Makes the template database if it is missing. @returns its name. */
async function ensureTemplate(admin: Client, serverUrl: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS_DIR).sort()) {
    if (/^\d+_.*\.sql$/.test(file)) hash.update(file).update(readFileSync(path.join(MIGRATIONS_DIR, file)));
  }
  const template = `guise_template_${hash.digest('hex').slice(0, 16)}`;
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      // The database has another name until it is complete.
      await admin.query(`drop database if exists ${template}_new with (force)`);
      await admin.query(`create database ${template}_new`);
      const db = openDatabase(withDatabase(serverUrl, `${template}_new`), { poolSize: 1 });
      await migrate(db).finally(() => db.close());
      await admin.query(`alter database ${template}_new rename to ${template}`);
    }
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

async function dropLeftovers(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'guise\\_test\\_%'
       and not exists (select 1 from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`,
  );
  for (const { datname } of rows) {
    const madeAt = Number(datname.split('_')[2]);
    if (madeAt < Date.now() - LEFTOVER_MS) await admin.query(`drop database if exists ${datname}`);
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
