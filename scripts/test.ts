/**
 * `npm test`: runs every *.test.ts of packages, scripts, bench, acceptance and training, with
 * Node's own runner. `npm test -- PATH...` runs only the test files under, or named by, these
 * paths.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');

const PATTERNS = [
  'packages/*/src/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
  'acceptance/**/*.test.ts',
  'training/**/*.test.ts',
];

/**
 * Acceptance tests whose files run one after the other in one process, because they share a
 * service, and the slowest folders of packages. They come first, the longest before the others, so
 * that no process works alone at the end.
 */
const FIRST = [
  'acceptance/dashboard',
  'acceptance/ai-tasks',
  'acceptance/pixels',
  'packages/engine-host/src/child',
  'packages/server/src/worker',
  'acceptance/v1',
  'packages/engine/src/pipeline',
  'acceptance/clients',
  'packages/server/src/http',
];

/**
 * Folders of many short files, which share a process as well: its start takes longer than most of
 * their tests.
 */
const SHORT = ['bench', 'scripts', 'packages/contract/src', 'packages/media/src'];

/** Folder below the src of a package: its files load mostly the same, so they share a process. */
const PACKAGE_FOLDER = /^packages\/[^/]+\/src\/[^/]+(?=\/)/;

/**
 * Hooks before or after each test, and settings of the environment, outside of a `describe` or a
 * test: they would be for the tests of all files of a process, so their file has one of its own. So
 * has a file that measures its process.
 */
const FOR_ITS_PROCESS = /^(?:(?:before|after)Each\(|process\.env\b)|\b(?:memoryUsage|PerformanceObserver)\b/m;

/** Processes beside one for each core: tests wait for answers. Two were no faster (measured). */
const SPARE_PROCESSES = 1;

/**
 * Longest time for a process, so that one that hangs fails. On an idle machine, none needs a fifth
 * of it.
 */
const PROCESS_TIMEOUT_MS = 3_600_000;

const wanted = process.argv.slice(2).map((each) => path.relative(ROOT, path.resolve(each)));
const all = globSync(PATTERNS, { cwd: ROOT }).sort();
const chosen =
  wanted.length === 0
    ? all
    : all.filter((file) => wanted.some((each) => file === each || file.startsWith(`${each}/`)));
if (chosen.length === 0) {
  console.error(`no test file under ${wanted.join(', ')}`);
  process.exit(1);
}

const entries = mkdtempSync(path.join(tmpdir(), 'guise-tests-'));
process.once('exit', () => rmSync(entries, { recursive: true, force: true }));
// The processes of the tests, and those that they start, load mostly the same files.
process.env.NODE_COMPILE_CACHE ??= path.join(entries, 'compile-cache');
// Large pages for large blocks, as engine processes have them (allocator-settings.ts): the first
// touches of small pages took a twelfth of the time of tests with pictures.
process.env.GLIBC_TUNABLES ??= 'glibc.malloc.hugetlb=1';
const groups = Map.groupBy(chosen, folderOf);
const files = [
  ...[...new Set([...FIRST, ...groups.keys()])]
    .filter((folder) => folder !== undefined && groups.has(folder))
    .map((folder) => writeEntry(folder!, groups.get(folder)!)),
  ...(groups.get(undefined) ?? []).map((file) => path.join(ROOT, file)),
];
run({
  files,
  cwd: ROOT,
  concurrency: availableParallelism() + SPARE_PROCESSES,
  timeout: PROCESS_TIMEOUT_MS,
  // The engine turns this optimisation off in its own processes, see disable-escape-analysis.ts.
  execArgv: ['--no-maglev-escape-analysis'],
})
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);

/** @returns the folder with whose files this one shares a process; undefined: with none. */
function folderOf(file: string): string | undefined {
  if (FOR_ITS_PROCESS.test(readFileSync(path.join(ROOT, file), 'utf8'))) return undefined;
  return (
    [...FIRST, ...SHORT].find((folder) => file.startsWith(`${folder}/`)) ?? PACKAGE_FOLDER.exec(file)?.[0]
  );
}

/**
 * Writes a file that loads these test files, and holds their tests back until it has loaded all:
 * the runner would else end after the tests of the first. @returns its path
 */
function writeEntry(folder: string, group: readonly string[]): string {
  const entry = path.join(entries, `${folder.replaceAll('/', '-')}.test.mjs`);
  writeFileSync(
    entry,
    `import { test } from 'node:test';
const loaded = Promise.withResolvers();
test('${group.length} files are loaded', () => loaded.promise);
try {
${group.map((file) => `  await import('${pathToFileURL(path.join(ROOT, file))}');`).join('\n')}
  loaded.resolve();
} catch (error) {
  loaded.reject(error);
}
`,
  );
  return entry;
}
