/**
 * `npm run statements`: runs the server's tests, and writes down for the next version what this one
 * asks of the database (migrations/released.json). Part of a release, as CONTRIBUTING.md says.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '@guise/server/db/test-database.ts';
import { hashMigrations, newestReleased, RELEASED_FILE, type ReleasedVersion } from './released.ts';
import { findRefused, readRecorded } from './statements.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const folder = mkdtempSync(path.join(tmpdir(), 'guise-statements-'));
try {
  runServerTests();
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
  console.log(`${released.statements.length} statements of ${released.version}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runServerTests(): void {
  const files = globSync('packages/server/src/**/*.test.ts', { cwd: ROOT }).sort();
  const recorder = path.join(import.meta.dirname, 'record-statements.ts');
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=dot', ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      GUISE_STATEMENTS_DIR: folder,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${recorder}`,
    },
  });
  if (status !== 0) throw new Error('The tests must pass first.');
}
