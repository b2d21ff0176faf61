/**
 * Processes of the last released version go on beside a database that this version has migrated,
 * for as long as an upgrade takes, and after one that is taken back (docs/decisions/0019).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { migrate, MIGRATIONS_DIR } from '@guise/server/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';
import { RELEASED_RESULTS, RELEASED_WORK } from './released-tasks.ts';
import { hashMigrations, newestReleased, readReleased } from './released.ts';
import { findTightened, readShape, type SchemaShape } from './testing/schema-shape.ts';
import { runRecorded } from './run-recorded.ts';
import { readExamples } from './task-examples.ts';
import { findRefused, readRecorded } from './statements.ts';

/** Statements that a version has at the least; fewer means that they were not recorded. */
const FEWEST_STATEMENTS = 120;

const released = readReleased();
const lastReleased = Object.keys(released.migrations).sort().at(-1)!.replace('.sql', '');

let t: TestDatabase;
let older: Database;
let olderShape: SchemaShape;
before(async () => {
  t = await createTestDatabase();
  older = await bareDatabase();
  await migrate(older, { upTo: lastReleased });
  olderShape = await readShape(older.pool);
});
after(async () => {
  const { rows } = await older.pool.query<{ name: string }>('select current_database() as name');
  await older.close();
  await t.db.pool.query(`drop database ${rows[0]!.name} with (force)`);
  await t.close();
});

/** A database without a table. */
async function bareDatabase(): Promise<Database> {
  const name = `${new URL(t.url).pathname.slice(1)}_older`;
  await t.db.pool.query(`create database ${name} template template0`);
  const url = new URL(t.url);
  url.pathname = `/${name}`;
  return openDatabase(url.href, { poolSize: 2 });
}

/** Names of rules that a migration since then says the released version survives, and why. */
function survivedRules(): Set<string> {
  const later = readdirSync(MIGRATIONS_DIR).filter(
    (file) => /^\d{6}_/.test(file) && !(file in released.migrations),
  );
  return new Set(
    later.flatMap((file) =>
      [...readFileSync(path.join(MIGRATIONS_DIR, file), 'utf8').matchAll(/^-- survives (\w+): \S+/gm)].map(
        (match) => match[1]!,
      ),
    ),
  );
}

test('what the last released version asks is on record, and its migrations are as they were', () => {
  assert.equal(released.version, newestReleased(), 'run `npm run statements` for the new release');
  assert.ok(released.statements.length >= FEWEST_STATEMENTS, `${released.statements.length} statements`);
  const now = hashMigrations();
  for (const [file, hash] of Object.entries(released.migrations))
    assert.equal(now[file], hash, `${file} was released: write another one`);
});

test('what the service asks is recorded while its tests run, and nothing that a test asks', async (context) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-recorded-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await runRecorded(['packages/server/src/keys/rotate-key.test.ts'], folder);
  const recorded = readRecorded(folder);
  const some = (pattern: RegExp): boolean => recorded.some((statement) => pattern.test(statement));
  assert.ok(some(/^insert into former_secrets/), 'in a transaction');
  assert.ok(some(/^insert into installation_secrets \(name, secret\) values/), 'through the pool');
  assert.ok(some(/^select .* from "?accounts/), 'by Kysely');
  assert.ok(!some(/^update former_secrets/), 'only the test lets time pass');
  assert.deepEqual(readExamples(folder), { work: [], results: [] });
});

test('tasks of the last released version are read: the compiler holds their examples against the types', () => {
  const kinds = new Set(RELEASED_WORK.map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), [
    'detect-faces',
    'look-at-clip',
    'swap-batch',
    'swap-gif',
    'swap-group',
    'swap-image',
    'swap-video',
  ]);
  assert.ok(RELEASED_RESULTS.some(({ outputs }) => outputs.length > 0));
});

test('the schema takes every statement of the last released version', async () => {
  assert.deepEqual(await findRefused(older.pool, released.statements), [], 'as its own schema did');
  assert.deepEqual(await findRefused(t.db.pool, released.statements), []);
});

test('and demands nothing that the last released version does not give', async () => {
  assert.deepEqual(findTightened(olderShape, await readShape(t.db.pool), survivedRules()), []);
});

test('a migration that the released version would not survive is found, and one that only adds is not', async () => {
  await older.pool.query(`
    create table notes (account_id uuid references accounts on delete cascade, text text not null);
    alter table tasks add column note text, add column notes integer not null default 0;
    alter table tasks drop constraint tasks_progress_check;
    drop index tasks_of_account`);
  assert.deepEqual(findTightened(olderShape, await readShape(older.pool), new Set()), []);
  assert.deepEqual(await findRefused(older.pool, released.statements), []);

  await older.pool.query(`
    alter table tasks add column size text not null;
    alter table tasks alter column engine_deaths type bigint;
    alter table tasks alter column work set not null, alter column parameters set not null, alter column result set not null;
    alter table api_keys alter column created_at drop default;
    alter table objects add constraint objects_small check (size_bytes < 10);
    create unique index tasks_one on tasks (account_id);
    create table holds (task_id uuid references tasks);
    alter table sessions rename column user_agent to agent;
    alter table invitations drop column used_at`);
  assert.deepEqual(findTightened(olderShape, await readShape(older.pool), new Set(['tasks_one'])).sort(), [
    'api_keys.created_at lost its default',
    'holds keeps rows of tasks from being deleted: let them cascade or set null',
    'objects has the rule objects_small, which is new or changed',
    'tasks.engine_deaths was integer and is bigint',
    'tasks.result may no longer be null',
    'tasks.size is new and has no default',
  ]);
  const reasons = new Set(
    (await findRefused(older.pool, released.statements)).map(
      ({ reason }) => /column [\w."]+/.exec(reason)?.[0],
    ),
  );
  assert.ok(
    [...reasons].some((each) => each?.includes('user_agent')),
    [...reasons].join(),
  );
  assert.ok(
    [...reasons].some((each) => each?.includes('used_at')),
    [...reasons].join(),
  );
});
