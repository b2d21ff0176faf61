import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { openStatusPort } from './status-port.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

test('a worker tells its health to everybody, its metrics to this machine or for the token', async () => {
  const metrics = createWorkerMetrics();
  metrics.tasks.inc({ type: 'IMAGE_SWAP', status: 'COMPLETED' });
  let isReady = false;
  const options = {
    host: '127.0.0.1',
    port: 0,
    registry: metrics.registry,
    tokens: { operatorToken: 'secret', previousOperatorToken: 'former' },
    isReady: () => isReady,
  };
  const opened = await openStatusPort(options);
  const url = `http://127.0.0.1:${opened.port}`;
  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const request = get({ port: opened.port, path, headers });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode!;
  };
  try {
    const text = await (await fetch(`${url}/metrics`)).text();
    assert.match(text, /^guise_worker_tasks_total\{type="IMAGE_SWAP",status="COMPLETED"\} 1$/m);
    assert.match(text, /^process_resident_memory_bytes /m);
    assert.equal(await statusOf('/metrics', { host: 'rebound.example' }), 403);
    assert.equal(await statusOf('/metrics', { authorization: 'Bearer wrong' }), 403);
    const named = { host: 'worker-1', authorization: 'Bearer secret' };
    assert.equal(await statusOf('/metrics', named), 200);
    assert.equal(await statusOf('/metrics', { ...named, authorization: 'Bearer former' }), 200);
    assert.equal(await statusOf('/livez', { host: 'worker-1' }), 200);
    assert.equal(await statusOf('/readyz', { host: 'worker-1' }), 503);
    isReady = true;
    assert.equal(await statusOf('/readyz', { host: 'worker-1' }), 200);
    assert.equal(await statusOf('/'), 404);
    await assert.rejects(openStatusPort({ ...options, port: opened.port }), { code: 'EADDRINUSE' });
  } finally {
    opened.close();
  }
});
