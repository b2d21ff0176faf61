import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { runFolder } from './setup/leftovers.ts';

/** Longest wait for a command to begin its work. */
const PATIENCE_MS = 120_000;

const dir = await mkdtemp(path.join(tmpdir(), 'guise-stopping-'));
after(() => rm(dir, { recursive: true, force: true }));
const { face, body } = await readSampleFaces();
const [work, temporary] = ['work', 'tmp'].map((name) => path.join(dir, name)) as [string, string];
await Promise.all([mkdir(work), mkdir(temporary)]);
await Promise.all([
  writeFile(path.join(work, 'face.jpg'), face),
  writeFile(path.join(work, 'body.jpg'), body),
]);

/** Starts `guise` as a user does, without the process that stands in for an older Node. */
function start(...args: string[]): ChildProcess & { said(): string } {
  const main = path.resolve(import.meta.dirname, 'main.ts');
  const env = { ...process.env, GUISE_DATA_DIR: path.join(dir, 'data'), DATABASE_URL: '', TMPDIR: temporary };
  const child = spawn(process.execPath, [main, ...args], {
    env,
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  return Object.assign(child, { said: () => said });
}

async function filesOf(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true });
}

/** Waits until a command's folder has something in it. @returns null: it has ended before. */
async function untilWorking(child: ChildProcess & { said(): string }): Promise<string | null> {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; await delay(5)) {
    if (child.exitCode !== null) return null;
    const files = [...(await filesOf(work)), ...(await filesOf(temporary))];
    const found = files.find((file) => /^[^/]+\.part\/./.test(file));
    if (found !== undefined) return found.split('/')[0]!;
  }
  throw new Error(`The command did not begin: ${child.said()}`);
}

interface Ended {
  readonly how: readonly [number | null, NodeJS.Signals | null];
  readonly said: string;
  /** Name of the folder in which it worked. */
  readonly folder: string;
}

/** Sends signals to a command while it works; runs it again where it was faster than this test. */
async function endWhileWorking(args: string, ...signals: NodeJS.Signals[]): Promise<Ended> {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs;) {
    const child = start(...args.split(' '));
    const closed = once(child, 'close');
    const folder = await untilWorking(child);
    for (const signal of signals) child.kill(signal);
    const how = (await closed) as [number | null, NodeJS.Signals | null];
    const said = child.said();
    if (folder !== null && !/^(Swapped|1200 x|body\.jpg:)/.test(said)) return { how, said, folder };
    await Promise.all(
      ['out.png', 'new'].map((name) => rm(path.join(work, name), { recursive: true, force: true })),
    );
  }
  throw new Error(`The command was always faster: guise ${args}`);
}

async function expectNothingLeft(): Promise<void> {
  assert.deepEqual((await filesOf(work)).sort(), ['body.jpg', 'face.jpg']);
  assert.deepEqual(
    (await filesOf(temporary)).filter((file) => !file.startsWith('node-compile-cache')),
    [],
  );
}

/** What a command says that was stopped. */
const STOPPED = 'guise: Stopped. Nothing was written.\n';

for (const [args, signal, code] of [
  ['swap face.jpg body.jpg -o out.png', 'SIGINT', 130],
  ['swap face.jpg body.jpg -o out.png', 'SIGTERM', 143],
  ['detect body.jpg', 'SIGINT', 130],
  ['demo -o new/demo', 'SIGINT', 130],
  ['verify body.jpg', 'SIGINT', 130],
] as const) {
  test(`${signal} ends \`guise ${args}\`, which says so and leaves nothing`, async () => {
    const { how, said } = await endWhileWorking(args, signal);
    assert.deepEqual([how, said], [[code, null], STOPPED]);
    await expectNothingLeft();
  });
}

test('a second Ctrl-C leaves nothing either', async () => {
  const { how } = await endWhileWorking('swap face.jpg body.jpg -o out.png', 'SIGINT', 'SIGTERM');
  // The second may come when all is done.
  assert.ok(how[0] === 130 || how[0] === 143 || how[1] === 'SIGTERM', String(how));
  await expectNothingLeft();
});

test('what a killed run left is removed by the next of the same output, and what a living one has is not', async () => {
  const { folder: left } = await endWhileWorking('swap face.jpg body.jpg -o out.png', 'SIGKILL');
  assert.ok((await readdir(work)).includes(left));
  // This test's own, and one of a machine whose processes nobody here knows.
  const living = path.basename(await runFolder(path.join(work, 'out.png')));
  const foreign = 'out.png.00000000-1-00000000-0000-4000-8000-000000000000.part';
  await Promise.all([living, foreign].map((name) => mkdir(path.join(work, name))));
  const next = start('swap', 'face.jpg', 'body.jpg', '-o', 'out.png');
  assert.deepEqual(await once(next, 'close'), [0, null], next.said());
  assert.deepEqual((await readdir(work)).sort(), ['body.jpg', 'face.jpg', 'out.png', living, foreign].sort());
});
