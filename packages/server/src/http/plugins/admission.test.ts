import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test, type TestContext } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Plan } from '@guise/contract/plans.ts';
import { createApiKey } from '../../accounts/api-keys.ts';
import { createAccount } from '../../accounts/create-account.ts';
import { setIpAllowlist } from '../../accounts/ip-allowlist.ts';
import { clearOfMidnight } from '../../accounts/testing/clear-of-midnight.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { admitV1, admitV1Poll, callerOf } from './admission.ts';
import { installErrorHandling } from './errors.ts';

let direct: TestApp;
let proxied: TestApp;
before(async () => {
  direct = await startTestApp();
  proxied = await startTestApp({ GUISE_TRUSTED_PROXIES: '127.0.0.0/8, ::1' });
});
after(async () => {
  await direct.close();
  await proxied.close();
});

/** `GET /job` of an app that admits as v1 does. */
async function startV1(t: TestContext, trustProxy: string[] | false = false): Promise<FastifyInstance> {
  const app = Fastify({ trustProxy });
  app.decorateRequest('caller', null);
  app.decorateRequest('rate', null);
  app.decorateRequest('polledTask', null);
  const db = direct.deps.readDatabase;
  installErrorHandling(app, db, []);
  app.get('/job', { onRequest: admitV1(db) }, (request) => callerOf(request).id);
  app.get('/poll', { onRequest: admitV1Poll(db, () => null) }, (request) => `${request.polledTask}`);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  return app;
}

async function newKey(of: TestApp, plan: Plan, ranges: string[] = []): Promise<{ id: string; key: string }> {
  const email = `${randomUUID()}@example.com`;
  const account = await createAccount(of.deps.database, {
    email,
    plan,
    emailVerified: false,
    startingCredits: 0,
  });
  await setIpAllowlist(of.deps.database.pool, account.id, ranges);
  return { id: account.id, key: (await createApiKey(of.deps.database.pool, account.id, 'test')).secret };
}

function ask(origin: string, path: string, key: string, forwarded?: string): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (forwarded !== undefined) headers['x-forwarded-for'] = forwarded;
  return fetch(`${origin}${path}`, { headers });
}

const originOf = (app: FastifyInstance): string => app.listeningOrigin;
const READ = `/api/ai-tasks?taskId=${randomUUID()}`;

test('v1 counts every request, polls included, against the minute and the day, and says what is left of both', async (t) => {
  await clearOfMidnight();
  const origin = originOf(await startV1(t));
  const { id, key } = await newKey(direct, 'free');
  const first = await ask(origin, '/job', key);
  assert.equal(first.status, 200, 'an unverified account may use v1');
  assert.equal(first.headers.get('ratelimit-policy'), '"v1";q=10;w=60, "v1:day";q=100;w=86400');
  assert.match(first.headers.get('ratelimit') ?? '', /^"v1";r=9;t=60, "v1:day";r=99;t=\d+$/);
  for (let n = 8; n >= 0; n--) {
    const answer = await ask(origin, n % 2 === 0 ? '/poll' : '/job', key);
    assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"v1";r=${n};`));
  }
  const refused = await ask(origin, '/poll', key);
  const body = (await refused.json()) as { error: string; limit: number; resetSeconds: number };
  assert.equal(refused.status, 429);
  assert.equal(body.limit, 10);
  assert(body.resetSeconds >= 1 && body.resetSeconds <= 60);
  assert.equal(refused.headers.get('retry-after'), String(body.resetSeconds));

  await direct.deps.database.pool.query(
    'update request_windows set requests = 1, day_requests = 100 where account_id = $1',
    [id],
  );
  const tomorrow = await ask(origin, '/job', key);
  const late = (await tomorrow.json()) as typeof body;
  assert.equal(tomorrow.status, 429);
  assert.match(
    late.error,
    /^At most 100 of these requests are allowed in a day \(UTC\); try again in \d+ seconds\.$/,
  );
  assert.equal(late.limit, 100);
  assert.equal(tomorrow.headers.get('retry-after'), String(late.resetSeconds));
  assert.match(tomorrow.headers.get('ratelimit') ?? '', /^"v1";r=9;t=\d+, "v1:day";r=0;t=\d+$/);
});

test('an address outside of the list is 403 on v1 and 401 on ai-tasks; Enterprise has no rate to show', async (t) => {
  const origin = originOf(await startV1(t));
  const { key } = await newKey(direct, 'enterprise', ['198.51.100.0/24']);
  for (const path of ['/job', '/poll']) {
    const answer = await ask(origin, path, key);
    assert.equal(answer.status, 403);
    assert.deepEqual(await answer.json(), {
      error: 'This account may not be used from this address.',
      code: 'IP_NOT_ALLOWED',
    });
    assert.equal(answer.headers.get('ratelimit'), null);
  }
  const elsewhere = await ask(direct.url, READ, key);
  const unknown = await ask(direct.url, READ, `${key}x`);
  assert.deepEqual([elsewhere.status, unknown.status], [401, 401]);
  assert.deepEqual(await elsewhere.json(), await unknown.json());

  const local = await newKey(direct, 'enterprise', ['127.0.0.1']);
  assert.equal((await ask(origin, '/job', local.key)).status, 200);
  assert.equal((await ask(direct.url, READ, local.key)).status, 404);
});

test('an unknown key is 401 from everywhere, and a plan without a list is not asked for one', async (t) => {
  const origin = originOf(await startV1(t));
  assert.equal((await ask(origin, '/job', 'nonsense')).status, 401);
  const { key } = await newKey(direct, 'pro', ['198.51.100.0/24']);
  assert.equal((await ask(origin, '/job', key)).status, 200);
});

test('X-Forwarded-For counts only behind a configured proxy, and only what that proxy added', async (t) => {
  const allowed = ['198.51.100.0/24', '2001:db8::/32'];
  const plain = originOf(await startV1(t));
  const behind = originOf(await startV1(t, ['127.0.0.0/8']));
  const { key } = await newKey(direct, 'enterprise', allowed);
  const { key: proxiedKey } = await newKey(proxied, 'enterprise', allowed);
  for (const [forwarded, v1, aiTasks] of [
    ['198.51.100.7', 200, 404],
    ['2001:db8::7', 200, 404],
    ['::ffff:198.51.100.7', 200, 404],
    // The client's own claim stands left of what the proxy saw.
    ['8.8.8.8, 198.51.100.7', 200, 404],
    ['198.51.100.7, 8.8.8.8', 403, 401],
    ['8.8.8.8', 403, 401],
    ['unknown', 403, 401],
    ['', 403, 401],
  ] as const) {
    assert.equal((await ask(plain, '/job', key, forwarded)).status, 403, forwarded);
    assert.equal((await ask(direct.url, READ, key, forwarded)).status, 401, forwarded);
    assert.equal((await ask(behind, '/job', key, forwarded)).status, v1, forwarded);
    assert.equal((await ask(proxied.url, READ, proxiedKey, forwarded)).status, aiTasks, forwarded);
  }
});
