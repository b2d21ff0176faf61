import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../testing/test-app.ts';

const PAGE = 'https://shop.example';
const PREFLIGHT = {
  origin: PAGE,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,idempotency-key',
};

test('pages of a named origin may call the interfaces, others and the account may not', async (context) => {
  const t = await startTestApp({ GUISE_ALLOWED_ORIGINS: `${PAGE}, https://other.example` });
  context.after(() => t.close());
  const ask = (path: string, headers: Record<string, string>, method = 'OPTIONS') =>
    fetch(t.url + path, { method, headers });
  for (const path of ['/api/ai-tasks', '/v1/image-swap', '/files/any', '/verify', '/api/faces?x=1']) {
    const { status, headers } = await ask(path, PREFLIGHT);
    assert.equal(status, 204, path);
    assert.equal(headers.get('access-control-allow-origin'), PAGE);
    assert.equal(headers.get('access-control-allow-headers'), 'authorization,idempotency-key');
    assert.equal(headers.get('access-control-allow-methods'), 'GET, POST, DELETE');
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.equal(headers.get('vary')?.toLowerCase().includes('origin'), true);
  }
  const refused = await ask('/api/ai-tasks/list', { origin: PAGE }, 'GET');
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get('access-control-allow-origin'), PAGE);
  assert.match(refused.headers.get('access-control-expose-headers')!, /retry-after/);
  for (const [path, origin] of [
    ['/api/ai-tasks', 'https://shop.example.evil.example'],
    ['/api/ai-tasks', 'http://shop.example'],
    ['/api/ai-tasks', 'null'],
    ['/account/me', PAGE],
    ['/apiary', PAGE],
  ] as const) {
    const { headers } = await ask(path, { ...PREFLIGHT, origin });
    assert.equal(headers.get('access-control-allow-origin'), null, `${path} ${origin}`);
  }
});

test('without named origins no page may', async (context) => {
  const t = await startTestApp();
  context.after(() => t.close());
  const { status, headers } = await fetch(`${t.url}/api/ai-tasks`, { method: 'OPTIONS', headers: PREFLIGHT });
  assert.equal(status, 404);
  assert.equal(headers.get('access-control-allow-origin'), null);
});
