import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findListenPort } from '@guise/server/main/listen-port.ts';
import { until } from './processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HTML = { accept: 'text/html' };

let copy: string;
let service: ChildProcess | null;

beforeEach(async () => {
  copy = await copyUnbuilt();
  service = null;
});
afterEach(async () => {
  if (service !== null && service.exitCode === null && service.signalCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  await rm(copy, { recursive: true, force: true });
});

/**
 * A fresh checkout: this repository's files with what npm installed, and no dashboard built yet.
 */
async function copyUnbuilt(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'guise-checkout-'));
  // PostgreSQL runs as another user where the tests run as root.
  await chmod(dir, 0o711);
  for (const name of [
    'launch.cjs',
    'compile-cache.cjs',
    'package.json',
    'tsconfig.json',
    'migrations',
    'packages',
  ]) {
    await cp(path.join(ROOT, name), path.join(dir, name), {
      recursive: true,
      filter: (source) => !/\/(node_modules|dist(-[0-9]+)?)$/.test(source),
    });
  }
  for (const name of await readdir(path.join(ROOT, 'packages'))) {
    const installed = path.join('packages', name, 'node_modules');
    await symlink(path.join(ROOT, installed), path.join(dir, installed));
  }
  const modules = path.join(dir, 'node_modules');
  await mkdir(path.join(modules, '@guise'), { recursive: true });
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) {
    if (name === '@guise') continue;
    await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  for (const name of await readdir(path.join(dir, 'packages'))) {
    await symlink(path.join(dir, 'packages', name), path.join(modules, '@guise', name));
  }
  return dir;
}

/** Starts the copy's service. @returns what it has printed. */
function spawnCopy(port: number): { readonly child: ChildProcess; readonly output: () => string } {
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    GUISE_DATA_DIR: path.join(copy, 'data'),
  };
  const main = path.join(copy, 'packages/server/src/main/all-in-one.ts');
  // The channel tells the service if this test is killed.
  const child = spawn(process.execPath, [path.join(copy, 'launch.cjs'), main], {
    env,
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  service = child;
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return { child, output: () => output };
}

/**
 * Starts the copy's service and waits until its API answers. @returns its address and what it has
 * printed.
 */
async function startCopy(): Promise<{ readonly url: string; readonly output: () => string }> {
  const port = await findListenPort('127.0.0.1', 0);
  const { child, output } = spawnCopy(port);
  const url = `http://127.0.0.1:${port}`;
  await until('the API answers', async () => {
    assert.equal(child.exitCode, null, output());
    return (await statusOf(`${url}/livez`)) === 200;
  });
  return { url, output };
}

/** @returns null: nobody answers yet. */
async function statusOf(url: string): Promise<number | null> {
  try {
    return (await fetch(url, { headers: HTML })).status;
  } catch {
    return null;
  }
}

/** Makes the dashboard's build begin with these lines. */
async function beginBuildWith(lines: string): Promise<void> {
  const config = path.join(ROOT, 'packages/dashboard/vite.config.ts');
  const original = path.join(copy, 'packages/dashboard/vite.original.ts');
  await cp(config, original);
  await writeFile(
    path.join(copy, 'packages/dashboard/vite.config.ts'),
    `${lines}\nexport { default } from './vite.original.ts';\n`,
  );
}

test('a first start is ready once its dashboard is built, and not before; it removes the half ones of killed starts, and none of a living one', async () => {
  const gone = spawn(process.execPath, ['--eval', '']);
  await once(gone, 'exit');
  const names = [`dist-${gone.pid}`, `dist-${gone.pid}-old`, `dist-${process.pid}`];
  for (const name of names) await mkdir(path.join(copy, 'packages/dashboard', name));
  const gate = path.join(copy, 'gate');
  await beginBuildWith(
    `import { existsSync } from 'node:fs';
     while (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 20));`,
  );
  const { url, output } = await startCopy();
  const early = await fetch(`${url}/readyz`);
  assert.deepEqual([early.status, await early.json()], [503, { error: 'The dashboard is being built.' }]);
  await writeFile(gate, '');
  await until('the service is ready', async () => (await statusOf(`${url}/readyz`)) === 200);
  assert.equal(await statusOf(`${url}/`), 200, output());
  assert.deepEqual((await builds()).sort(), ['dist', `dist-${process.pid}`], output());
});

test('where the dashboard cannot be built the service is ready without it, and says so', async () => {
  await beginBuildWith(`throw new Error('no bundler today');`);
  const { url, output } = await startCopy();
  await until('the service is ready', async () => (await statusOf(`${url}/readyz`)) === 200);
  assert.match(output(), /no bundler today/);
  assert.match(output(), /the dashboard could not be built: the service runs without it/);
  assert.equal(await statusOf(`${url}/`), 503);
});

/** Makes the dashboard's build write a file and then wait, as long as there is the copy. */
async function hangBuild(): Promise<void> {
  await beginBuildWith(
    `import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
     const outDir = process.argv.at(-1);
     mkdirSync(outDir);
     writeFileSync(outDir + '/half', '');
     while (existsSync(outDir)) await new Promise((resolve) => setTimeout(resolve, 20));`,
  );
}

async function builds(): Promise<string[]> {
  const names = await readdir(path.join(copy, 'packages/dashboard'));
  return names.filter((name) => name.startsWith('dist'));
}

test('Ctrl-C during the build leaves no half dashboard', async () => {
  await hangBuild();
  const { child, output } = spawnCopy(await findListenPort('127.0.0.1', 0));
  await until('the build writes', async () => (await builds()).length > 0);
  const closed = once(child, 'close');
  child.kill('SIGINT');
  await closed;
  assert.deepEqual(await builds(), [], output());
  assert.doesNotMatch(output(), /could not be built/);
});

test('a start that fails leaves no half dashboard', async () => {
  await hangBuild();
  await using other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { child, output } = spawnCopy((other.address() as AddressInfo).port);
  const [code] = await once(child, 'close');
  assert.equal(code, 1, output());
  assert.deepEqual(await builds(), [], output());
});
