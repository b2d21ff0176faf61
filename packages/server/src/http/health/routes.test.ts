import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openRaw } from '../testing/raw-request.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let t: TestApp;
before(async () => {
  t = await startTestApp({
    GUISE_OPERATOR_TOKEN: 'operator-token',
    GUISE_PREVIOUS_OPERATOR_TOKEN: 'old-token',
  });
});
after(() => t.close());

const metrics = (headers: Record<string, string> = {}) => fetch(`${t.url}/metrics`, { headers });

test('metrics are read from this machine, and count by route and not by URL', async () => {
  await fetch(`${t.url}/files/out/ab/secret.png?expires=1&signature=abc`);
  const response = await metrics();
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.match(text, /guise_http_requests_total\{[^}]*route="\/files\/\*"[^}]*status="403"[^}]*\} 1/);
  assert.match(text, /guise_queue_pending\{lane="short"\} 0/);
  assert.match(text, /guise_parts_pending\{lane="long"\} 0/);
  assert.doesNotMatch(text, /secret/);
});

test('through a proxy they need the operator token', async () => {
  assert.equal((await metrics({ 'x-forwarded-for': '127.0.0.1' })).status, 403);
  assert.equal((await metrics({ forwarded: 'for=127.0.0.1' })).status, 403);
  assert.equal((await metrics({ authorization: 'Bearer wrong' })).status, 403);
  const token = { 'x-forwarded-for': '203.0.113.1', authorization: 'Bearer operator-token' };
  assert.equal((await metrics(token)).status, 200);
  assert.equal((await metrics({ ...token, authorization: 'Bearer old-token' })).status, 200);
});

async function metricsStatusFor(host: string): Promise<number> {
  const request = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await openRaw(t.port, request).closed)![1]);
}

test('a name that was made to resolve to this machine reads no metrics', async () => {
  for (const host of [
    'rebound.example',
    'rebound.example:3000',
    'localhost.example',
    '127.0.0.1.example',
    '',
  ]) {
    assert.equal(await metricsStatusFor(host), 403, host);
  }
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.9.8.7:1', '[::1]', '[::1]:3000']) {
    assert.equal(await metricsStatusFor(host), 200, host);
  }
});

test('livez and readyz answer without a key', async () => {
  assert.deepEqual(await (await fetch(`${t.url}/livez`)).json(), { status: 'live' });
  assert.deepEqual(await (await fetch(`${t.url}/readyz`)).json(), { status: 'ready' });
});
