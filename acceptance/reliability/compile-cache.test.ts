import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';

const LAUNCHER = path.resolve(import.meta.dirname, '../../launch.cjs');
const STRANGER_UID = 65_534;
/** Byte offset in an entry of Node's cache of its content's CRC-32; the content follows. */
const CHECKSUM_AT = 16;

/**
 * All that the launcher finds: a home, a shared temporary folder and a script that prints a word
 * and its cache.
 */
let root: string;
let home: string;
let shared: string;
let script: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'guise-cache-'));
  home = path.join(root, 'home');
  shared = path.join(root, 'shared');
  script = path.join(root, 'script.ts');
  mkdirSync(home);
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  writeFileSync(
    script,
    `import { getCompileCacheDir } from 'node:module';
     const word: string = 'honest';
     console.log(JSON.stringify({ word, cache: getCompileCacheDir() ?? null }));`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Printed {
  readonly word: string;
  readonly cache: string | null;
}

async function launch(env: NodeJS.ProcessEnv = {}): Promise<Printed> {
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, script], {
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: shared, ...env },
  });
  return JSON.parse(stdout) as Printed;
}

/**
 * Fills `folder` with a cache in which the script prints another word, which Node takes for its own
 * work.
 */
async function plant(folder: string): Promise<void> {
  assert.equal((await launch({ NODE_COMPILE_CACHE: folder })).word, 'honest');
  for (const name of globSync('**/*', { cwd: folder })) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) continue;
    const entry = readFileSync(file);
    const at = entry.indexOf("'honest'");
    if (at === -1) continue;
    entry.write("'stolen'", at);
    entry.writeUInt32LE(crc32(entry.subarray(CHECKSUM_AT + 4)), CHECKSUM_AT);
    writeFileSync(file, entry);
  }
  assert.equal((await launch({ NODE_COMPILE_CACHE: folder })).word, 'stolen', 'the plant works');
}

/** Hands a folder to another user; only root can. */
function giveAway(folder: string): void {
  if (process.getuid?.() === 0) chownSync(folder, STRANGER_UID, STRANGER_UID);
}

const ownFolder = (): string => path.join(home, '.cache/guise/compile-cache');

/** Plants in the folder that the launcher made, which shows that it is this one that Node reads. */
async function plantInOwn(): Promise<void> {
  await launch();
  await plant(ownFolder());
  assert.equal((await launch()).word, 'stolen');
}

test('code that a stranger put into the shared temporary folder is not run', async () => {
  const planted = path.join(shared, 'node-compile-cache');
  await plant(planted);
  giveAway(planted);
  assert.equal((await launch()).word, 'honest');
});

test('compiled code is kept in a folder that is ours alone, and run from there the next time', async () => {
  const { cache } = await launch();
  assert.equal(path.dirname(cache!), ownFolder());
  assert.equal(statSync(ownFolder()).mode & 0o777, 0o700);
  await plantInOwn();
  const elsewhere = path.join(root, 'cache');
  const named = await launch({ XDG_CACHE_HOME: elsewhere });
  assert.equal(path.dirname(named.cache!), path.join(elsewhere, 'guise/compile-cache'));
});

const opened: readonly [string, () => void][] = [
  ['others may write to it', () => chmodSync(ownFolder(), 0o777)],
  ['others may write to the folder above', () => chmodSync(path.dirname(ownFolder()), 0o777)],
  ['others may write to the folder of all caches', () => chmodSync(path.join(home, '.cache'), 0o777)],
  ['others may write to the home', () => chmodSync(home, 0o777)],
  [
    'it is a link',
    () => {
      renameSync(ownFolder(), path.join(home, 'moved'));
      symlinkSync(path.join(home, 'moved'), ownFolder());
    },
  ],
];
for (const [state, open] of opened) {
  test(`no cache is read or written where ${state}`, async () => {
    await plantInOwn();
    open();
    assert.deepEqual(await launch(), { word: 'honest', cache: null });
  });
}

const isRoot = process.getuid?.() === 0;
const skip = isRoot ? false : 'only root can make what belongs to another user';

for (const [what, folder] of [
  ['the folder', ownFolder],
  ['the home', () => home],
] as const) {
  test(`no cache is read or written where ${what} belongs to somebody else`, { skip }, async () => {
    await plantInOwn();
    giveAway(folder());
    assert.deepEqual(await launch(), { word: 'honest', cache: null });
  });
}

test('nothing is made in the home of somebody else', { skip }, async () => {
  giveAway(home);
  assert.deepEqual(await launch(), { word: 'honest', cache: null });
  assert.deepEqual(readdirSync(home), []);
});

test('without a home there is no cache', async () => {
  assert.deepEqual(await launch({ HOME: path.join(root, 'nowhere') }), { word: 'honest', cache: null });
});
