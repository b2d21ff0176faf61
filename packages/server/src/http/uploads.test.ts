import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { createApiKey } from '../accounts/api-keys.ts';
import { createAccount } from '../accounts/create-account.ts';
import { LocalStorage } from '../storage/local-storage.ts';
import type { ScratchOptions } from '../storage/scratch.ts';
import { MAX_UPLOADS_PER_ACCOUNT } from './plugins/with-upload.ts';
import { openRaw, type RawConnection } from './testing/raw-request.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './testing/test-app.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const MEGABYTE = 1_000_000;
const NO_ROOM = 'The service has no room left to store files; try again later.';

async function start(t: TestContext, options: TestAppOptions): Promise<TestApp> {
  const app = await startTestApp({}, options);
  t.after(() => app.close());
  return app;
}

/** A disk that the test says is so empty. */
const onDisk = (options: ScratchOptions): TestAppOptions => ({
  openMedia: (_config, dir) => LocalStorage.open(dir, options),
});

function photo(...extra: Buffer[]): FormData {
  const form = new FormData();
  for (const name of ['sourceImage', 'targetImage']) form.set(name, new Blob([PIXEL, ...extra]), 'a.png');
  return form;
}

async function post(app: TestApp, key: string, url: string, body: FormData | object): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(app.url + url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
}

/** Begins a POST that promises `bytes` and sends only its first ones. */
function beginUpload(app: TestApp, key: string, bytes: number): RawConnection {
  return openRaw(
    app.port,
    `POST /api/ai-tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes}\r\n\r\n` +
      '--x\r\nContent-Disposition: form-data; name="sourceImage"; filename="a"\r\n\r\nyyyy',
  );
}

async function untilScratchHolds(app: TestApp, files: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await app.deps.storage.scratch.files()).length !== files) {
    assert.ok(performance.now() < deadline, `there were never ${files} files`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('without room every upload is 503, on both interfaces, and nothing is left', async (t) => {
  const app = await start(t, onDisk({ freeBytes: async () => 256 * 1024 * 1024 - 1 }));
  const { apiKey } = await app.newKey();
  for (const url of [
    '',
    '/batch-face-swap',
    '/multi-face-swap',
    '/video',
    '/gif',
    '/detect-faces',
    '/verify',
  ]) {
    const answer = await post(app, apiKey, `/api/ai-tasks${url}`, photo());
    assert.deepEqual([answer.status, await answer.json()], [503, { error: NO_ROOM, code: 'BUSY' }], url);
  }
  for (const url of ['image-swap', 'video-swap', 'batch-swap']) {
    const answer = await post(app, apiKey, `/v1/${url}`, { source_image: PIXEL.toString('base64') });
    const { error, message } = (await answer.json()) as Record<string, string>;
    assert.deepEqual([answer.status, error, message], [503, 'BUSY', NO_ROOM], url);
  }
  assert.deepEqual(await app.deps.storage.scratch.files(), []);
});

test('slow uploads of one account leave half of the room to the others', async (t) => {
  const app = await start(t, onDisk({ minFreeBytes: 0, freeBytes: async () => 100 * MEGABYTE }));
  const [greedy, other] = [await app.newKey(), await app.newKey()];
  const first = beginUpload(app, greedy.apiKey, 30 * MEGABYTE);
  await untilScratchHolds(app, 1);
  const second = beginUpload(app, greedy.apiKey, 30 * MEGABYTE);
  assert.match(await second.until(/"error"[^]*}/), /^HTTP\/1\.1 503 /);
  const others = beginUpload(app, other.apiKey, 60 * MEGABYTE);
  await untilScratchHolds(app, 2);
  assert.equal((await post(app, (await app.newKey()).apiKey, '/api/ai-tasks', photo())).status, 200);
  for (const { socket } of [first, second, others]) socket.destroy();
});

test('promised room is given back, however an upload ends', async (t) => {
  const app = await start(t, onDisk({ minFreeBytes: 0, freeBytes: async () => MEGABYTE }));
  const { apiKey } = await app.newKey();
  const refused = new FormData();
  refused.set('nonsense', 'x'.repeat(800_000));
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await post(app, apiKey, '/api/ai-tasks', refused)).status, 400);
    const hungUp = beginUpload(app, apiKey, 900_000);
    await untilScratchHolds(app, 1);
    assert.equal((await post(app, (await app.newKey()).apiKey, '/api/ai-tasks', refused)).status, 503);
    hungUp.socket.destroy();
    await untilScratchHolds(app, 0);
    const bad = { source_image: 'A'.repeat(800_000), nonsense: 1 };
    assert.equal((await post(app, apiKey, '/v1/image-swap', bad)).status, 400);
    assert.equal((await post(app, apiKey, '/api/ai-tasks', photo(Buffer.alloc(400_000)))).status, 200);
  }
});

test('an upload beyond the eighth waits for its turn, and counts no request where that does not come', async (t) => {
  const app = await start(t, { patienceMs: 500 });
  const { id } = await createAccount(app.deps.database, {
    email: `${randomUUID()}@example.com`,
    plan: 'pro',
    emailVerified: true,
    startingCredits: 30,
  });
  const { secret } = await createApiKey(app.deps.database.pool, id, 'test');
  const begun = Array.from({ length: MAX_UPLOADS_PER_ACCOUNT }, () => beginUpload(app, secret, MEGABYTE));
  await untilScratchHolds(app, MAX_UPLOADS_PER_ACCOUNT);
  const refused = await post(app, secret, '/api/ai-tasks', photo());
  assert.equal(refused.status, 429);
  assert.deepEqual(await refused.json(), {
    error: 'At most 8 uploads of one account are read at a time; try again in 30 seconds.',
    code: 'RATE_LIMITED',
    limit: 8,
    resetSeconds: 30,
  });
  assert.equal(refused.headers.get('retry-after'), '30');
  assert.match(refused.headers.get('ratelimit')!, /^"ai-tasks";r=52;/);
  const v1 = await post(app, secret, '/v1/image-swap', {});
  const { error, reset_seconds: resetSeconds } = (await v1.json()) as Record<string, unknown>;
  assert.deepEqual([v1.status, error, resetSeconds], [429, 'RATE_LIMITED', 30]);
  assert.equal((await post(app, (await app.newKey()).apiKey, '/api/ai-tasks', photo())).status, 200);
  begun[0]!.socket.destroy();
  await untilScratchHolds(app, MAX_UPLOADS_PER_ACCOUNT - 1);
  assert.equal((await post(app, secret, '/api/ai-tasks', photo())).status, 200);
  for (const { socket } of begun) socket.destroy();
});

test('many uploads of one account at once are all taken, a few at a time', async (t) => {
  const app = await start(t, {});
  const { apiKey } = await app.newKey();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post(app, apiKey, '/api/ai-tasks', photo())),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
});

describe('on a disk that is really full', { skip: skipWithoutMount() }, () => {
  let dir: string;
  after(async () => {
    execFileSync('umount', ['-l', dir]);
    await rm(dir, { recursive: true, force: true });
  });

  test('what does not fit is 503 and leaves nothing, what fits is taken', async (t) => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'guise-small-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dir]);
    const options = { minFreeBytes: 0, freeBytes: async () => Infinity };
    const app = await start(t, { openMedia: () => LocalStorage.open(dir, options) });
    const { apiKey } = await app.newKey();
    const large = photo(Buffer.alloc(14 * MEGABYTE));
    const answer = await post(app, apiKey, '/api/ai-tasks', large);
    assert.deepEqual([answer.status, await answer.json()], [503, { error: NO_ROOM, code: 'BUSY' }]);
    const base64 = 'A'.repeat(40 * MEGABYTE);
    const v1 = await post(app, apiKey, '/v1/image-swap', { source_image: base64, target_image: base64 });
    assert.deepEqual([v1.status, ((await v1.json()) as { error: string }).error], [503, 'BUSY']);
    assert.deepEqual(await app.deps.storage.scratch.files(), []);
    assert.equal((await app.deps.database.pool.query('select 1 from objects')).rowCount, 0);
    assert.equal((await post(app, apiKey, '/api/ai-tasks', photo())).status, 200);
  });

  test('an upload ends where the free space of the disk itself says so', async (t) => {
    const app = await start(t, { openMedia: () => LocalStorage.open(dir, { minFreeBytes: 16 * MEGABYTE }) });
    const { apiKey } = await app.newKey();
    const answer = await post(app, apiKey, '/api/ai-tasks', photo(Buffer.alloc(7 * MEGABYTE)));
    assert.equal(answer.status, 503);
    assert.equal((await post(app, apiKey, '/api/ai-tasks', photo(Buffer.alloc(MEGABYTE)))).status, 200);
  });
});

/** false, or why a test that needs a disk of its own is skipped. */
function skipWithoutMount(): string | false {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'this user may not mount a small disk on this machine';
  }
}
