import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findListenPort } from '@guise/server/main/listen-port.ts';
import { makeDataDir, removeDataDir } from '../service.ts';
import { allGone, killAtOnce, processTree, type RunningProcess, until } from './processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

let dataDir: string;
let port: number;
let started: ChildProcess;
/** All that the start brought up: what was started, the service, its database and its engines. */
let tree: readonly RunningProcess[];

beforeEach(async () => {
  dataDir = await makeDataDir();
  port = await findListenPort('127.0.0.1', 0);
  tree = [];
});
afterEach(async () => {
  // They are gone, as they should be, unless a test failed.
  killAtOnce(tree.map(({ pid }) => pid));
  await removeDataDir(dataDir);
});

/**
 * Starts the service by a command in a process group of its own, as a terminal does, and waits
 * until it is ready.
 */
async function start(command: string, ...args: string[]): Promise<void> {
  const npm = command === 'sh' ? { npm_lifecycle_event: 'npx' } : {};
  started = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...npm, PORT: String(port), HOST: '127.0.0.1', GUISE_DATA_DIR: dataDir },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [started.stdout!, started.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  try {
    await until('the service is ready', () => {
      assert.equal(started.exitCode ?? started.signalCode, null, output);
      return output.includes('guise ready');
    });
  } finally {
    tree = await processTree(started.pid!);
  }
  for (const part of ['postgres', 'server.ts', 'worker.ts', 'engine-child.ts']) {
    assert.ok(
      tree.some(({ command }) => command.includes(part)),
      part,
    );
  }
}

/**
 * Waits until nothing of the service is left: no process, no open port, and a database that was
 * stopped in good order.
 */
async function nothingIsLeft(): Promise<void> {
  await allGone(tree.map(({ pid }) => pid));
  const socket = connect(port, '127.0.0.1');
  const [error] = await once(socket, 'error');
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED');
  assert.equal(existsSync(path.join(dataDir, 'postgres/postmaster.pid')), false);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
  test(`${signal} to the npm of npm start alone ends the whole service`, async () => {
    await start('npm', 'start');
    process.kill(started.pid!, signal);
    await nothingIsLeft();
    if (signal !== 'SIGKILL') assert.equal(started.exitCode, 0);
  });
}

test('Ctrl-C under npm start, which npm passes on once more, lets the service end in good order', async () => {
  await start('npm', 'start');
  process.kill(-started.pid!, 'SIGINT');
  await nothingIsLeft();
  assert.equal(started.exitCode, 0);
});

test('SIGTERM to the shell in which npx runs a command ends the whole service', async () => {
  await start('sh', '-c', '"$0" packages/cli/bin/guise.cjs start; exit', process.execPath);
  process.kill(started.pid!, 'SIGTERM');
  await nothingIsLeft();
});

const olderNode = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'node'))
  .find((node) => existsSync(node) && majorVersion(node) < 24);
const skip = olderNode === undefined ? 'there is no older Node here' : false;

test('SIGTERM to the shell in which npx runs an older Node ends all of it, too', { skip }, async () => {
  await start('sh', '-c', '"$0" packages/cli/bin/guise.cjs start; exit', olderNode!);
  process.kill(started.pid!, 'SIGTERM');
  await nothingIsLeft();
});

test('SIGTERM to an older Node that started the service ends all of it', { skip }, async () => {
  await start(olderNode!, 'launch.cjs', 'packages/server/src/main/all-in-one.ts');
  process.kill(started.pid!, 'SIGTERM');
  await nothingIsLeft();
  assert.equal(started.exitCode, 0);
});

function majorVersion(node: string): number {
  return Number(execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }));
}
