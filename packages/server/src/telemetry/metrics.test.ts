import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('two registries in one process do not meet', async () => {
  const [one, two] = [createMetrics(), createMetrics()];
  one.requests.inc({ method: 'GET', route: '/api/ai-tasks', status: '200' });
  one.queuePending.set({ lane: 'short' }, 4);
  const text = await one.registry.metrics();
  assert.match(text, /guise_http_requests_total\{method="GET",route="\/api\/ai-tasks",status="200"\} 1/);
  assert.match(text, /guise_queue_pending\{lane="short"\} 4/);
  assert.doesNotMatch(await two.registry.metrics(), /guise_http_requests_total\{/);
});
