import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createWorkerMetrics, openMetricsPort } from './worker-metrics.ts';

test('a worker tells what it ended, on loopback and only by a name of this machine', async () => {
  const metrics = createWorkerMetrics();
  metrics.tasks.inc({ type: 'IMAGE_SWAP', status: 'COMPLETED' });
  const opened = await openMetricsPort(metrics, 0);
  try {
    const response = await fetch(`http://127.0.0.1:${opened.port}/metrics`);
    assert.equal(response.status, 200);
    const text = await response.text();
    assert.match(text, /^guise_worker_tasks_total\{type="IMAGE_SWAP",status="COMPLETED"\} 1$/m);
    assert.match(text, /^process_resident_memory_bytes /m);
    const rebound = get({ port: opened.port, headers: { host: 'rebound.example' } });
    const [answer] = (await once(rebound, 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 403);
    await assert.rejects(openMetricsPort(metrics, opened.port), { code: 'EADDRINUSE' });
  } finally {
    opened.close();
  }
});
