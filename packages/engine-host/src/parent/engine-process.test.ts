import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { TaskFailure } from '@guise/contract/errors.ts';
import { ENGINE_USER, ifPossible } from '@guise/media/isolation/unprivileged-user.ts';
import type { SwapImageJob } from '../protocol/engine-job.ts';
import { EngineProcess, type EngineProcessOptions } from './engine-process.ts';
import { EngineDied } from './engine-died.ts';
import { BLANK_SIGNER } from '../protocol/blank-signer.ts';

const running: EngineProcess[] = [];
const outputs = await mkdtemp(path.join(tmpdir(), 'guise-outputs-'));
after(async () => {
  await Promise.all(running.map((each) => each.close()));
  await rm(outputs, { recursive: true });
});

function start(options: Partial<EngineProcessOptions> = {}): EngineProcess {
  const script = path.join(import.meta.dirname, '../testing/scripted-engine.ts');
  const engine = new EngineProcess({
    modelCacheDir: '',
    currentSigner: () => BLANK_SIGNER,
    user: null,
    script,
    ...options,
  });
  running.push(engine);
  return engine;
}

const job = (script: string): SwapImageJob => ({
  kind: 'swap-image',
  sourcePath: script,
  targetPath: '',
  outputPath: path.join(outputs, randomUUID()),
  options: { restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
  maxPixels: 1,
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (isAlive(pid) && performance.now() < deadline) await delay(10);
  assert.ok(!isAlive(pid));
}

test('jobs run one after the other in the same warm process, and progress is passed on', async () => {
  const engine = start();
  assert.deepEqual(await engine.whenReady(), { name: 'scripted', version: '1' });
  const seen: number[] = [];
  const first = await engine.run(job('answer-pid'), { onProgress: (progress) => seen.push(progress) });
  const second = await engine.run(job('answer-pid'));
  assert.deepEqual(seen, [0.5]);
  assert.equal(first.width, second.width);
});

test("a job's own failure has its code and leaves the process as it is", async () => {
  const engine = start();
  await engine.whenReady();
  const pid = engine.pid;
  await assert.rejects(engine.run(job('fail')), (error) => {
    assert.ok(error instanceof TaskFailure);
    assert.deepEqual(
      [error.code, error.message, error.cause],
      ['DECODE_FAILED', 'It is damaged.', 'at byte 7'],
    );
    return true;
  });
  assert.equal(engine.pid, pid);
});

test('a process that crashes on a job counts as dead on its own, says why, and is replaced', async () => {
  const engine = start();
  await assert.rejects(engine.run(job('crash')), (error) => {
    assert.ok(error instanceof EngineDied);
    assert.match(error.message, /by SIGABRT: illegal instruction/);
    assert.ok(error.wasAlone);
    return true;
  });
  assert.ok((await engine.run(job('answer-pid'))).width > 0);
});

/** A job that is being written until a file is put into `folder`. */
async function startWriting(
  engine: EngineProcess,
  context: TestContext,
): Promise<{ readonly folder: string; readonly ended: Promise<unknown> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-engine-'));
  context.after(() => rm(folder, { recursive: true }));
  const isWriting = Promise.withResolvers<void>();
  const ended = engine.run(job(`write-together ${folder}`), { onWriting: isWriting.resolve });
  ended.catch(() => {});
  await isWriting.promise;
  return { folder, ended };
}

test('beside a job that is being written one may begin that allows it; any other waits for its turn', async (context) => {
  const engine = start();
  const { folder, ended } = await startWriting(engine, context);
  const order: string[] = [];
  const other = engine.run(job('answer-pid')).then(() => order.push('other'));
  await engine.run(job('answer-pid'), { onWriting: () => {} });
  order.push('beside');
  await writeFile(path.join(folder, 'go on'), '');
  await Promise.all([ended, other]);
  assert.deepEqual(order, ['beside', 'other']);
});

const eitherDid = (error: unknown): boolean => error instanceof EngineDied && !error.wasAlone;

test('a process that ends with two active jobs says that either may have ended it', async (context) => {
  const engine = start({ abortGraceMs: 20 });
  const first = await startWriting(engine, context);
  await assert.rejects(engine.run(job('crash'), { onWriting: () => {} }), eitherDid);
  await assert.rejects(first.ended, eitherDid);
  const second = await startWriting(engine, context);
  const abort = new AbortController();
  const reason = new TaskFailure('DEADLINE_EXCEEDED', 'Too late.');
  await assert.rejects(
    engine.run(job('hang'), {
      signal: abort.signal,
      onProgress: () => abort.abort(reason),
      onWriting: () => {},
    }),
    (error) => error === reason,
  );
  await assert.rejects(second.ended, eitherDid, 'killed with the one that was aborted');
});

test('a process killed from outside during a job counts as dead on its own', async () => {
  const engine = start();
  await assert.rejects(
    engine.run(job('hang'), { onProgress: () => process.kill(engine.pid ?? 0, 'SIGKILL') }),
    EngineDied,
  );
});

test('an aborted job that does not stop is killed, rejects with the reason, and is no death of the engine', async () => {
  const engine = start({ abortGraceMs: 20 });
  await engine.whenReady();
  const hangingPid = engine.pid ?? 0;
  const abort = new AbortController();
  const reason = new TaskFailure('DEADLINE_EXCEEDED', 'Too late.');
  await assert.rejects(
    engine.run(job('hang'), { signal: abort.signal, onProgress: () => abort.abort(reason) }),
    (error) => error === reason,
  );
  assert.notEqual((await engine.run(job('answer-pid'))).width, hangingPid);
  await gone(hangingPid);
});

test('a job that says nothing for the stall limit is killed with RESOURCE_LIMIT', async () => {
  const engine = start({ stallTimeoutMs: 2000 });
  await assert.rejects(engine.run(job('hang')), { code: 'RESOURCE_LIMIT' });
  assert.ok((await engine.run(job('answer-pid'))).width > 0);
});

test('a job that takes more memory than allowed is killed with RESOURCE_LIMIT', async () => {
  const engine = start({ memoryLimitBytes: 400 * 1024 * 1024 });
  await assert.rejects(engine.run(job('eat-memory')), { code: 'RESOURCE_LIMIT' });
  assert.ok((await engine.run(job('answer-pid'))).width > 0);
});

test('a process that cannot start says why to those who wait, and is tried again', async () => {
  const engine = start({ modelCacheDir: 'broken' });
  for (let times = 0; times < 2; times++) {
    await assert.rejects(engine.whenReady(), { name: 'EngineDied', message: /the models are broken/ });
  }
  await assert.rejects(engine.run(job('answer-pid')), { name: 'EngineDied' }, 'no fault of the job');
});

test('closing ends a process that hangs, and fails its job', async () => {
  const engine = start();
  const pid = await new Promise<number>((resolve, reject) => {
    engine
      .run(job('hang'), { onProgress: () => resolve(engine.pid ?? 0) })
      .then(() => reject(new Error('it ended')))
      .catch(() => {});
  });
  await engine.close();
  assert.equal(isAlive(pid), false);
  await assert.rejects(engine.whenReady(), /closed/);
});

test('an engine that hangs is gone soon after its parent was killed', async () => {
  const holder = fork(path.join(import.meta.dirname, '../testing/holding-engine.ts'));
  const [pid] = (await once(holder, 'message')) as [number];
  assert.ok(isAlive(pid));
  holder.kill('SIGKILL');
  await gone(pid);
});

test('a process that asks for two signatures, or for one that its job may not have, is replaced', async () => {
  const engine = start();
  assert.ok((await engine.run(job('sign image/png 32'))).width > 0);
  for (const script of ['sign image/png,image/png 32', 'sign video/mp4 32']) {
    const { pid } = engine;
    await assert.rejects(engine.run(job(script)), { name: 'EngineDied', message: /gets no signature/ });
    await engine.whenReady();
    assert.notEqual(engine.pid, pid);
  }
});

test('a process that sends an invalid message is replaced, and the worker goes on', async () => {
  const engine = start();
  await assert.rejects(engine.run(job('babble')), { name: 'EngineDied', message: /invalid message/ });
  assert.ok((await engine.run(job('answer-pid'))).width > 0);
});

/** An engine that makes its folders in an empty one. */
async function startIn(context: TestContext, options: Partial<EngineProcessOptions> = {}) {
  const parent = await mkdtemp(path.join(tmpdir(), 'guise-engines-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  const newFolder = (): string => path.join(parent, randomUUID());
  return { parent, engine: start({ newFolder, ...options }) };
}

const LEFT = ['symlink', 'pipe', 'folder', 'nothing'];
/** null: as in a process that has no right to become somebody else. */
const USERS = [...new Set([null, ifPossible(ENGINE_USER)])];

for (const user of USERS) {
  for (const what of user === null ? [...LEFT, 'link'] : [...LEFT, 'input']) {
    const name = `an engine of ${user === null ? 'our user' : 'another user'} that leaves a ${what} as its output`;
    test(`${name} is replaced, and nothing takes the output's place`, async (context) => {
      const { parent, engine } = await startIn(context, { user });
      const ownFile = path.join(parent, 'own');
      const script = `leave ${what} ${ownFile}`;
      await writeFile(ownFile, script, { mode: 0o600 });
      await engine.whenReady();
      const { pid } = engine;
      const { outputPath } = job('');
      const leaving = { ...job(ownFile), targetPath: ownFile, outputPath };
      await assert.rejects(engine.run(leaving), { name: 'EngineDied', message: /left no output/ });
      assert.equal(await readFile(ownFile, 'utf8'), script);
      assert.deepEqual(
        (await readdir(outputs)).filter((entry) => outputPath.endsWith(entry)),
        [],
      );
      await engine.whenReady();
      assert.notEqual(engine.pid, pid);
      await engine.close();
      assert.deepEqual(await readdir(parent), ['own']);
    });
  }
}

test('closing while a job is lent fails it and leaves no folder', async (context) => {
  const { parent, engine } = await startIn(context);
  await engine.whenReady();
  const running = assert.rejects(engine.run(job('answer-pid')), /closed/);
  // So that the job is active and its folder is being made.
  await Promise.resolve();
  await Promise.resolve();
  await engine.close();
  await running;
  assert.deepEqual(await readdir(parent), []);
});

test('closing removes the folders of processes that were killed before, too', async (context) => {
  const { parent, engine } = await startIn(context);
  await assert.rejects(engine.run(job('babble')), EngineDied);
  await assert.rejects(engine.run(job('crash')), EngineDied);
  await engine.close();
  assert.deepEqual(await readdir(parent), []);
});

test('a process whose folder cannot be made says so to those who wait, and is tried again', async (context) => {
  const parent = await mkdtemp(path.join(tmpdir(), 'guise-engines-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  let attempts = 0;
  const newFolder = (): string => path.join(parent, attempts++ < 2 ? 'missing/folder' : 'folder');
  const engine = start({ newFolder });
  await assert.rejects(engine.whenReady(), { name: 'EngineDied', message: /cannot be started: .*ENOENT/ });
  await engine.whenReady();
  await engine.close();
  assert.deepEqual(await readdir(parent), []);
});

test('a process that the system does not start leaves no folder, and is tried again', async (context) => {
  const node = process.execPath;
  process.execPath = path.join(outputs, 'missing');
  const { parent, engine } = await startIn(context).finally(() => (process.execPath = node));
  await assert.rejects(engine.whenReady(), { name: 'EngineDied' });
  await engine.whenReady();
  await engine.close();
  assert.deepEqual(await readdir(parent), []);
});
