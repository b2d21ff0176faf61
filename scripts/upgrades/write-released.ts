/**
 * `npm run statements`: runs the server's tests, and writes down for the next version what this one
 * asks of the database and writes there (migrations/released.json, released-tasks.ts). Part of a
 * release, as CONTRIBUTING.md says.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '@guise/server/db/test-database.ts';
import { hashMigrations, newestReleased, RELEASED_FILE, type ReleasedVersion } from './released.ts';
import { runRecorded } from './run-recorded.ts';
import { exampleModule, readExamples } from './task-examples.ts';
import { findRefused, readRecorded } from './statements.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Module of examples, which the compiler reads. */
const EXAMPLES_FILE = path.join(import.meta.dirname, 'released-tasks.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'guise-statements-'));
try {
  await runRecorded(globSync('packages/server/src/**/*.test.ts', { cwd: ROOT }).sort(), folder);
  const recorded = readRecorded(folder);
  const database = await createTestDatabase();
  // What this version's own schema refuses was meant for tables that only a test has.
  const refused = await findRefused(database.db.pool, recorded).finally(() => database.close());
  const others = new Set(refused.map(({ statement }) => statement));
  const released: ReleasedVersion = {
    version: newestReleased(),
    migrations: hashMigrations(),
    statements: recorded.filter((statement) => !others.has(statement)),
  };
  writeFileSync(RELEASED_FILE, `${JSON.stringify(released, null, 2)}\n`);
  const examples = readExamples(folder);
  writeFileSync(EXAMPLES_FILE, exampleModule(released.version, examples));
  spawnSync('npx', ['oxfmt', EXAMPLES_FILE], { cwd: ROOT, stdio: 'inherit' });
  console.log(`${released.statements.length} statements of ${released.version}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
