import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { LocalStorage } from './local-storage.ts';

let root: string;
before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'guise-owners-'));
});
after(() => rm(root, { recursive: true, force: true }));

interface Owner {
  readonly child: ChildProcess;
  readonly file: string;
}

async function startOwner(): Promise<Owner> {
  const launch = path.resolve(import.meta.dirname, '../../../../launch.cjs');
  const child = fork(launch, [path.join(import.meta.dirname, 'testing/scratch-process.ts'), root]);
  const [file] = (await once(child, 'message')) as [string];
  return { child, file };
}

async function kill({ child }: Owner): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test('the next start deletes what killed processes left, and nothing of those that live', async () => {
  // One after the other: of two that start at once, a lock may be left, which is swept, too.
  const dead = await startOwner();
  const living = await startOwner();
  const here = await LocalStorage.open(root);
  const own = here.scratch.newPath('upload');
  await writeFile(own, 'ours');
  assert.ok(existsSync(dead.file) && existsSync(living.file));
  await kill(dead);
  await LocalStorage.open(root);
  assert.equal(existsSync(path.dirname(dead.file)), false);
  assert.deepEqual([existsSync(living.file), existsSync(own)], [true, true]);
  await kill(living);
  assert.equal(await here.scratch.sweep(new Date(0)), 1, 'the sweeper finds them as well');
  assert.deepEqual([existsSync(living.file), existsSync(own)], [false, true]);
});

test('of an older version, and of another machine, what is old is swept and only that', async () => {
  const storage = await LocalStorage.open(root);
  const scratch = path.join(root, 'scratch');
  const files = ['old.upload', 'young.upload'].map((name) => path.join(scratch, name));
  for (const file of files) await writeFile(file, 'x');
  await utimes(files[0]!, new Date(0), new Date(1000));
  assert.equal(await storage.scratch.sweep(new Date(Date.now() - 60_000)), 1);
  assert.deepEqual(
    (await readdir(scratch)).filter((name) => name.endsWith('.upload')),
    ['young.upload'],
  );
});
