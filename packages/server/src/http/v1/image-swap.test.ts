import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
/** App without a worker, as `app`, and with hardly any patience. */
let hasty: TestApp;
let image: string;
before(async () => {
  [app, hasty] = await Promise.all([startTestApp(), startTestApp({}, { patienceMs: 200 })]);
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  image = png.toString('base64');
});
after(() => Promise.all([app.close(), hasty.close()]));

function post(
  apiKey: string,
  signal?: AbortSignal,
  headers: Record<string, string> = {},
  to = app,
): Promise<Response> {
  return fetch(`${to.url}/v1/image-swap`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ source_image: image, target_image: image }),
    signal: signal ?? null,
  });
}

async function untilTask(accountId: string, status: string, held: number, of = app): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(10)) {
    const { rows } = await of.deps.database.pool.query(
      `select t.status, a.credits_held from tasks t join accounts a on a.id = t.account_id where a.id = $1`,
      [accountId],
    );
    if (rows.length === 1 && rows[0].status === status && rows[0].credits_held === held) return;
  }
  assert.fail(`the task did not become ${status}`);
}

test('a client that hangs up cancels its task, and its credits come back', async () => {
  const { accountId, apiKey } = await app.newKey();
  const client = new AbortController();
  const posted = post(apiKey, client.signal);
  await untilTask(accountId, 'PENDING', 3);
  client.abort();
  await assert.rejects(posted);
  await untilTask(accountId, 'CANCELLED', 0);
});

test('with a key the task waits for the client to come back: twins and returns share it', async () => {
  const { accountId, apiKey } = await app.newKey();
  const headers = { 'idempotency-key': 'k' };
  const first = new AbortController();
  const second = new AbortController();
  const posted = post(apiKey, first.signal, headers);
  await untilTask(accountId, 'PENDING', 3);
  first.abort();
  await assert.rejects(posted);
  const returned = post(apiKey, second.signal, headers);
  // Somebody cancels it: only then does the one who came back have an answer, and the task is still
  // the one.
  await untilTask(accountId, 'PENDING', 3);
  const { rows } = await app.deps.database.pool.query('select id from tasks where account_id = $1', [
    accountId,
  ]);
  const address = { accountId, taskId: rows[0].id, interface: 'v1', type: 'IMAGE_SWAP' } as const;
  await cancelTask(app.deps.database, address, { inputRetentionMs: 0 });
  const answer = await returned;
  assert.equal(answer.status, 503);
  assert.equal(((await answer.json()) as { error: string }).error, 'BUSY');
  await untilTask(accountId, 'CANCELLED', 0);
});

test('who is not served in time hears BUSY, and the credits come back', async () => {
  const keyed: Record<string, string> = { 'idempotency-key': 'k' };
  for (const headers of [{}, keyed]) {
    const { accountId, apiKey } = await hasty.newKey();
    const answer = await post(apiKey, undefined, headers, hasty);
    assert.equal(answer.status, 503);
    const body = (await answer.json()) as { request_id: string };
    assert.deepEqual(body, {
      success: false,
      error: 'BUSY',
      message: 'The service was too busy to swap the face in time; try again later.',
      request_id: body.request_id,
    });
    await untilTask(accountId, 'CANCELLED', 0, hasty);
  }
});

test('of twins each has its own patience: the first to lose it leaves the task to the other', async () => {
  const { accountId, apiKey } = await hasty.newKey();
  const { pool } = hasty.deps.database;
  const headers = { 'idempotency-key': 'k' };
  // Enough for what comes next, also on a slow machine.
  Object.assign(hasty.deps, { patienceMs: 5000 });
  const first = post(apiKey, undefined, headers, hasty);
  await untilTask(accountId, 'PENDING', 3, hasty);
  const awaited = async (): Promise<number> =>
    (await pool.query('select extract(epoch from awaited_until - now())::float8 as s from idempotency_keys'))
      .rows[0].s;
  while ((await awaited()) === null) await delay(5);
  assert((await awaited()) <= 5);
  // A twin in another process, with more patience.
  await pool.query(`update idempotency_keys set awaited_until = now() + interval '10 min'`);
  assert.equal((await first).status, 503);
  Object.assign(hasty.deps, { patienceMs: 200 });
  await untilTask(accountId, 'PENDING', 3, hasty);
  const second = await post(apiKey, undefined, headers, hasty);
  assert.equal(second.status, 503);
  await untilTask(accountId, 'PENDING', 3, hasty);
  await pool.query('update idempotency_keys set awaited_until = now()');
  assert.equal((await post(apiKey, undefined, headers, hasty)).status, 503);
  await untilTask(accountId, 'CANCELLED', 0, hasty);
});
