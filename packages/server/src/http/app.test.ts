import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { claimTask } from '../tasks/testing/claim-task.ts';
import { finishTask } from '../tasks/finish-task.ts';
import { openRaw } from './testing/raw-request.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let t: TestApp;
let apiKey: string;
before(async () => {
  t = await startTestApp();
  ({ apiKey } = await t.newKey());
});
after(() => t.close());

function head(key: string, headers: string, method = 'POST'): string {
  return `${method} /api/ai-tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;
}

function form(names: string[]): FormData {
  const data = new FormData();
  for (const name of names) data.set(name, new Blob([PIXEL]), 'a.png');
  return data;
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await check())) {
    assert.ok(performance.now() < deadline, 'it never came true');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const MULTIPART = 'Content-Type: multipart/form-data; boundary=x\r\n';

test('a refused request never gets to send its body where it asked first', async () => {
  const raw = openRaw(
    t.port,
    head('gsk_wrong', `${MULTIPART}Content-Length: 1000\r\nExpect: 100-continue\r\n`),
  );
  const answer = await raw.closed;
  assert.match(answer, /^HTTP\/1\.1 401 /);
  assert.doesNotMatch(answer, /100 Continue/);
});

test('an admitted request that asked first is told to send its body', async () => {
  const raw = openRaw(t.port, head(apiKey, `${MULTIPART}Content-Length: 7\r\nExpect: 100-continue\r\n`));
  await raw.until(/^HTTP\/1\.1 100 Continue\r\n/);
  raw.socket.write('--x--\r\n');
  await raw.until(/400 Bad Request[^]*sourceImage is missing/);
  raw.socket.destroy();
});

test('a key sent twice is no key, and a 401 says what kind is asked for', async () => {
  const raw = openRaw(t.port, head(apiKey, `Authorization: Bearer ${apiKey}\r\n`, 'GET'));
  await raw.until(/^HTTP\/1\.1 401 [^]*www-authenticate: Bearer\r\n[^]*"error"/);
  raw.socket.destroy();
});

test('what Node would refuse by itself gets our error shape, and a request id', async () => {
  const unknown = openRaw(
    t.port,
    head(apiKey, `${MULTIPART}Content-Length: 7\r\nExpect: cake\r\n`) + '--x--\r\n',
  );
  await unknown.until(/400 Bad Request\r\nx-request-id: [^]*sourceImage is missing/);
  const nowhere = openRaw(t.port, 'GET /livez HTTP/1.1\r\n\r\n');
  await nowhere.until(
    /^HTTP\/1\.1 400 [^]*x-request-id: [^]*\{"error":"The Host header is missing\.","code":"INVALID_REQUEST","field":"Host"\}$/,
  );
  for (const raw of [unknown, nowhere]) raw.socket.destroy();
});

test('a Content-Type that is none is named', async () => {
  for (const path of ['/api/ai-tasks', '/v1/image-swap']) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'picture' };
    const answer = await fetch(`${t.url}${path}`, { method: 'POST', headers, body: '{}' });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /"The Content-Type header is not a valid media type\."/);
  }
});

test('bytes that are no HTTP get the same error shape', async () => {
  const answer = await openRaw(t.port, 'EHLO there\r\n\r\n').closed;
  assert.match(
    answer,
    /^HTTP\/1\.1 400 [^]*Api-Version: 2026-08-14[^]*\{"error":"The request is malformed\.","code":"INVALID_REQUEST"\}$/,
  );
});

test('a client that hangs up during its upload leaves no file and no row', async () => {
  const part = '--x\r\nContent-Disposition: form-data; name="sourceImage"; filename="a"\r\n\r\n';
  const raw = openRaw(
    t.port,
    `${head(apiKey, `${MULTIPART}Content-Length: 100000\r\n`)}${part}${'y'.repeat(5000)}`,
  );
  await until(async () => (await t.deps.storage.scratch.files()).length === 1);
  raw.socket.destroy();
  await until(async () => (await t.deps.storage.scratch.files()).length === 0);
  const { rows } = await t.deps.database.pool.query('select 1 from objects');
  assert.equal(rows.length, 0);
});

test('a form whose fields contradict each other leaves no file and no row, and holds nothing', async () => {
  const mapped = form(['sourceImage', 'targetFace0', 'targetFace2']);
  mapped.set('faceBox0', '{"x":0,"y":0,"width":1,"height":1}');
  mapped.set('faceBox2', '{"x":0,"y":0,"width":1,"height":1}');
  const batch = form(['targetImages']);
  batch.set('mode', 'singleToMulti');
  for (let times = 0; times < 2; times++) batch.append('sourceImages', new Blob([PIXEL]), 'a.png');
  for (const [path, body] of [
    ['/api/ai-tasks/multi-face-swap', mapped],
    ['/api/ai-tasks/batch-face-swap', batch],
  ] as const) {
    for (const query of ['', '?dryRun=true']) {
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${t.url}${path}${query}`, { method: 'POST', headers, body });
      assert.equal(response.status, 400);
    }
  }
  const { rows } = await t.deps.database.pool.query(
    'select key from objects union all select id::text from tasks',
  );
  assert.deepEqual(rows, []);
});

test('an upload that came to nothing leaves no file and no row', async () => {
  const poor = await t.newKey();
  await t.deps.database.pool.query('update accounts set credits_available = 0 where id = $1', [
    poor.accountId,
  ]);
  const response = await fetch(`${t.url}/api/ai-tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${poor.apiKey}` },
    body: form(['sourceImage', 'targetImage']),
  });
  assert.equal(response.status, 402);
  const objects = await readdir(path.join(t.mediaDir, 'objects'), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    objects.filter((entry) => entry.isFile()),
    [],
  );
  const { rows } = await t.deps.database.pool.query('select 1 from objects');
  assert.equal(rows.length, 0);
});

test('where one file cannot be stored the others are at rest before all are deleted', async (context) => {
  const { storage } = t.deps;
  const put = storage.put.bind(storage);
  const remove = storage.delete.bind(storage);
  const failed = Promise.withResolvers<void>();
  const order: string[] = [];
  let puts = 0;
  context.mock.method(storage, 'put', async (key: string, filePath: string) => {
    if (++puts === 2) {
      failed.resolve();
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    }
    await failed.promise;
    // Whoever does not wait for this one has gone on by then.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await put(key, filePath);
    order.push('put');
  });
  context.mock.method(storage, 'delete', async (key: string) => {
    order.push('delete');
    await remove(key);
  });
  const response = await fetch(`${t.url}/api/ai-tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form(['sourceImage', 'targetImage']),
  });
  assert.deepEqual(
    [response.status, await response.json()],
    [503, { error: 'The service has no room left to store files; try again later.', code: 'BUSY' }],
  );
  assert.deepEqual(order, ['put', 'delete', 'delete']);
  assert.deepEqual(await t.deps.storage.scratch.files(), []);
});

async function detect(): Promise<Response> {
  return fetch(`${t.url}/api/ai-tasks/detect-faces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form(['image']),
  });
}

async function claim() {
  const claimed = Promise.withResolvers<NonNullable<Awaited<ReturnType<typeof claimTask>>>>();
  await until(async () => {
    const task = await claimTask(t.deps.database, { lanes: ['short'], leaseMs: 15_000 });
    if (task !== null) claimed.resolve(task);
    return task !== null;
  });
  return claimed.promise;
}

test('damage that the worker finds while detecting is for the client to fix: 400', async () => {
  const response = detect();
  const task = await claim();
  const outcome = { status: 'FAILED', code: 'DECODE_FAILED', message: 'image is damaged.' } as const;
  await finishTask(t.deps.database, { taskId: task.id, leaseToken: task.leaseToken }, outcome, {
    inputRetentionMs: 0,
  });
  assert.equal((await response).status, 400);
  assert.deepEqual(await (await response).json(), {
    error: 'image is damaged.',
    code: 'INVALID_FORMAT',
    field: 'image',
  });
});

test('a client that leaves while it waits spares the worker', async () => {
  const leaving = new AbortController();
  const response = fetch(`${t.url}/api/ai-tasks/detect-faces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form(['image']),
    signal: leaving.signal,
  });
  const task = await claim();
  leaving.abort();
  await assert.rejects(response);
  await until(async () => {
    const { rows } = await t.deps.database.pool.query<{ status: string }>(
      'select status from tasks where id = $1',
      [task.id],
    );
    return rows[0]!.status === 'CANCELLED';
  });
});

test('every route of the description exists, and no other under its path', () => {
  const routes = t.app.printRoutes({ commonPrefix: false });
  assert.match(routes, /\/api\/ai-tasks \(POST, GET, DELETE\)/);
  assert.match(routes, /\/detect-faces \(POST\)/);
  assert.match(routes, /\/openapi\.json \(GET\)/);
});

test('closing lets what is in flight finish, and readyz says so before', async () => {
  assert.equal((await fetch(`${t.url}/readyz`)).status, 200);
  const response = detect();
  const task = await claim();
  t.shutdown.abort();
  assert.equal((await fetch(`${t.url}/readyz`)).status, 503);
  assert.equal((await fetch(`${t.url}/livez`)).status, 200);
  // A connection that is open, with a request half sent, when closing begins.
  const half = 'GET /livez HTTP/1.1\r\nHost: x\r\n';
  const late = openRaw(t.port, `${half}\r\n${half}`);
  // The server has read both, which came at once, when it answers the first.
  await late.until(/"live"/);
  const closed = t.app.close();
  late.socket.write('\r\n');
  assert.match(await late.closed, /HTTP\/1\.1 503 [^]*connection: close[^]*shutting down/i);

  const images = [{ field: 'image', width: 1, height: 1, faces: [] }];
  const outcome = { status: 'COMPLETED', result: { outputs: [], failures: [], images } } as const;
  await finishTask(t.deps.database, { taskId: task.id, leaseToken: task.leaseToken }, outcome, {
    inputRetentionMs: 0,
  });
  assert.deepEqual(await (await response).json(), { width: 1, height: 1, faces: [] });
  await closed;
});
