/**
 * `npm test`: runs every *.test.ts of packages, scripts, bench, acceptance and training, with
 * own runner. `npm test -- PATH...` runs only the test files under, or named by, these paths.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { availableParallelism } from 'node:os';

const ROOT = path.resolve(import.meta.dirname, '..');
const wanted = process.argv.slice(2).map((each) => path.relative(ROOT, path.resolve(each)));

const all = globSync(
  [
    'packages/*/src/**/*.test.ts',
    'scripts/**/*.test.ts',
    'bench/**/*.test.ts',
    'acceptance/**/*.test.ts',
    'training/**/*.test.ts',
  ],
  {
    cwd: ROOT,
  },
);
const chosen =
  wanted.length === 0
    ? all
    : all.filter((file) => wanted.some((each) => file === each || file.startsWith(`${each}/`)));
if (chosen.length === 0) {
  console.error(`no test file under ${wanted.join(', ')}`);
  process.exit(1);
}

/**
 * Longest time for a test file, so that one that hangs fails. On an idle machine, none needs a
 * fifth of it.
 */
const FILE_TIMEOUT_MS = 1_800_000;

// Reports in the `spec` form everywhere, whose closing lines are the summary that people and CI
// read.
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-reporter=spec',
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    `--test-concurrency=${availableParallelism()}`,
    ...chosen.sort(),
  ],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
