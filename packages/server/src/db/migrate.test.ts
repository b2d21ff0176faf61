import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { openDatabase } from './database.ts';
import { migrate, readMigrations } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let t: TestDatabase;
let dir: string;
before(async () => {
  t = await createTestDatabase();
  dir = mkdtempSync(path.join(tmpdir(), 'guise-migrations-'));
});
after(async () => {
  rmSync(dir, { recursive: true });
  await t.close();
});
beforeEach(async () => {
  await t.db.pool.query('drop schema public cascade; create schema public');
  rmSync(dir, { recursive: true });
  dir = mkdtempSync(path.join(tmpdir(), 'guise-migrations-'));
});

const write = (name: string, text: string): void => writeFileSync(path.join(dir, name), text);

test('four services that start at once migrate exactly once', async () => {
  const databases = Array.from({ length: 4 }, () => openDatabase(t.url, { poolSize: 2 }));
  try {
    const ran = await Promise.all(databases.map((db) => migrate(db)));
    assert.deepEqual(ran.flat(), Object.keys(await readMigrations()));
    assert.deepEqual(await migrate(t.db), []);
    assert.equal((await t.db.pool.query('select 1 from accounts')).rowCount, 0);
  } finally {
    await Promise.all(databases.map((db) => db.close()));
  }
});

test('migrations run in order, and one that fails leaves nothing behind', async () => {
  write('000001_one.sql', 'create table one (n int); create table extra (n int);');
  write('000002_two.sql', 'alter table one add column m int; select 1/0;');
  write('schema.sql', 'this is not a migration');
  await assert.rejects(migrate(t.db, { dir }), /Migrating the database failed: division by zero/);
  assert.deepEqual((await t.db.pool.query(`select to_regclass('one') as one`)).rows, [{ one: null }]);
  write('000002_two.sql', 'alter table one add column m int;');
  assert.deepEqual(await migrate(t.db, { dir }), ['000001_one', '000002_two']);
  write('000003_three.sql', 'alter table one drop column n;');
  assert.deepEqual(await migrate(t.db, { dir }), ['000003_three']);
});

test('a database of a newer version is left alone, with a plain sentence', async () => {
  write('000001_one.sql', 'create table one (n int);');
  write('000002_two.sql', 'create table two (n int);');
  await migrate(t.db, { dir });
  rmSync(path.join(dir, '000002_two.sql'));
  await assert.rejects(migrate(t.db, { dir }), /migrated by a newer version of guise/);
});

test('but one that still serves this version is used as it is, and nothing is migrated', async () => {
  const table =
    'create table schema_compatibility (is_only boolean primary key default true, oldest_version text not null);';
  write('000001_one.sql', `create table one (n int); ${table}`);
  write('000002_two.sql', 'create table two (n int);');
  write('released.json', '{ "version": "1.9.0" }');
  assert.deepEqual(await migrate(t.db, { dir }), ['000001_one', '000002_two']);
  rmSync(path.join(dir, '000002_two.sql'));
  for (const version of ['1.9.0', '1.10.0', '2.0.0'])
    assert.deepEqual(await migrate(t.db, { dir, version }), []);
  for (const version of ['1.8.9', '0.99.0'])
    await assert.rejects(migrate(t.db, { dir, version }), /migrated by a newer version of guise/);
});
