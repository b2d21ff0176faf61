import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createEmailLink } from '../sign-in/email-links.ts';
import { Browser } from './testing/browser.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PUBLIC_URL = 'http://guise.test';

let app: TestApp;
before(async () => {
  app = await startTestApp({ GUISE_PUBLIC_URL: PUBLIC_URL });
});
after(async () => {
  await app.close();
  assert.deepEqual(app.laterFailures, []);
});

type Key = Awaited<ReturnType<TestApp['newKey']>>;

async function send(
  { apiKey }: Key,
  method: string,
  url: string,
  body?: FormData | object,
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof FormData);
  return fetch(app.url + url, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(isJson ? { 'content-type': 'application/json' } : {}) },
    body: isJson ? JSON.stringify(body) : (body ?? null),
  });
}

async function submitPhoto(key: Key): Promise<string> {
  const form = new FormData();
  for (const name of ['sourceImage', 'targetImage']) form.set(name, new Blob([Buffer.from(PIXEL, 'base64')]));
  return ((await (await send(key, 'POST', '/api/ai-tasks', form)).json()) as { taskId: string }).taskId;
}

async function storedOf({ accountId }: Key): Promise<string[]> {
  const { rows } = await app.deps.database.pool.query<{ key: string }>(
    'select key from objects where account_id = $1',
    [accountId],
  );
  return rows.map(({ key }) => key);
}

/** No sweeper runs beside this app. */
async function untilGone(key: Key, uploads: readonly string[]): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(10)) {
    if ((await storedOf(key)).length > 0) continue;
    const sizes = await Promise.all(uploads.map((each) => app.deps.storage.sizeBytes(each)));
    assert.ok(sizes.every((size) => size === null));
    return;
  }
  assert.fail('the uploads stayed');
}

test('uploads of a task cancelled through its interface are deleted by the process that cancels', async () => {
  const key = await app.newKey();
  const taskId = await submitPhoto(key);
  const uploads = await storedOf(key);
  assert.equal(uploads.length, 2);
  assert.equal((await send(key, 'DELETE', `/api/ai-tasks?taskId=${taskId}`)).status, 200);
  await untilGone(key, uploads);
});

test('so are those of a job of v1', async () => {
  const key = await app.newKey();
  const batch = { source_image: PIXEL, target_images: [PIXEL, PIXEL] };
  const { job_id: jobId } = (await (await send(key, 'POST', '/v1/batch-swap', batch)).json()) as {
    job_id: string;
  };
  const uploads = await storedOf(key);
  assert.equal(uploads.length, 3);
  assert.equal((await send(key, 'DELETE', `/v1/status/${jobId}`)).status, 200);
  await untilGone(key, uploads);
});

test('so are those of a client that hangs up', async () => {
  const key = await app.newKey();
  const leaving = new AbortController();
  const posted = fetch(`${app.url}/v1/image-swap`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source_image: PIXEL, target_image: PIXEL }),
    signal: leaving.signal,
  });
  const { pool } = app.deps.database;
  const isThere = async () =>
    (await pool.query('select 1 from tasks where account_id = $1', [key.accountId])).rowCount === 1;
  for (const deadline = performance.now() + 60_000; !(await isThere()); await delay(10)) {
    assert.ok(performance.now() < deadline, 'no task came');
  }
  const uploads = await storedOf(key);
  assert.equal(uploads.length, 2);
  leaving.abort();
  await assert.rejects(posted);
  await untilGone(key, uploads);
});

test('so are those of a task cancelled in the dashboard', async () => {
  const key = await app.newKey();
  const taskId = await submitPhoto(key);
  const uploads = await storedOf(key);
  const { rows } = await app.deps.database.pool.query('select email from accounts where id = $1', [
    key.accountId,
  ]);
  const { accountId } = key;
  const link = await createEmailLink(app.deps.database.pool, PUBLIC_URL, {
    accountId,
    purpose: 'sign-in',
    email: rows[0].email,
  });
  const browser = new Browser(app);
  await browser.post('/account/auth/sign-in-link', { token: link.split('#token=')[1] });
  assert.equal((await browser.delete(`/account/tasks/${taskId}`)).status, 200);
  await untilGone(key, uploads);
});
