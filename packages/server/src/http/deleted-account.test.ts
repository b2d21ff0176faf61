import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { deleteAccount } from '../accounts/delete-account.ts';
import { openRaw, type RawConnection } from './testing/raw-request.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

const BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FORM = ['sourceImage', 'targetImage']
  .map((name) => `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n${pixel()}\r\n`)
  .join('');
const BODY = JSON.stringify({ source_image: BASE64, target_image: BASE64 });
const REFUSAL = /^HTTP\/1\.1 401 [^]*A valid API key is needed/;

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t.close());

/** Bytes as text, as a raw connection sends them. */
function pixel(): string {
  return Buffer.from(BASE64, 'base64').toString('latin1');
}

/** A POST whose last byte is yet to come. */
function begin(key: string, url: string, type: string, body: string, headers = ''): RawConnection {
  const raw = openRaw(
    t.port,
    `POST ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}` +
      `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  raw.socket.write(body.slice(0, -1), 'latin1');
  return raw;
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await check())) {
    assert.ok(performance.now() < deadline, 'it never came true');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function assertNothingLeft(): Promise<void> {
  const { storage, database } = t.deps;
  assert.deepEqual(await storage.scratch.files(), []);
  // Of a task that waited when its account went: due at once, for the sweeper.
  const { rows } = await database.pool.query(
    'select key from objects where delete_after > now() or account_id is not null',
  );
  assert.deepEqual(rows, []);
}

const multipart = 'multipart/form-data; boundary=x';
const json = 'application/json';
const CASES: [name: string, url: string, type: string, body: string][] = [
  ['a task', '/api/ai-tasks', multipart, `${FORM}--x--\r\n`],
  ['a quote', '/api/ai-tasks?dryRun=true', multipart, `${FORM}--x--\r\n`],
  ['an image swap', '/v1/image-swap', json, BODY],
  ['a quote of v1', '/v1/image-swap?dryRun=true', json, BODY],
];

for (const [name, url, type, body] of CASES) {
  for (const headers of ['', 'Idempotency-Key: k\r\n']) {
    const sent = headers === '' ? '' : ', with a key of its own';
    test(`an upload of ${name} whose account is deleted meanwhile is 401${sent}`, async () => {
      const { accountId, apiKey } = await t.newKey();
      const raw = begin(apiKey, url, type, body, headers);
      await until(async () => (await t.deps.storage.scratch.files()).length > 0);
      await deleteAccount(t.deps.database, accountId);
      raw.socket.write(body.slice(-1), 'latin1');
      const answer = await raw.until(REFUSAL);
      assert.match(
        answer,
        url.startsWith('/v1') ? /"error":"INVALID_API_KEY"/ : /\{"error":"A valid API key/,
      );
      raw.socket.destroy();
      await assertNothingLeft();
      const files = await readdir(path.join(t.mediaDir, 'objects'), { recursive: true, withFileTypes: true });
      assert.deepEqual(
        files.filter((entry) => entry.isFile()),
        [],
      );
    });
  }
}

for (const url of ['/api/ai-tasks?dryRun=true', '/v1/image-swap']) {
  test(`a client that waits on ${url} when its account is deleted is told so at once: 401`, async () => {
    const { accountId, apiKey } = await t.newKey();
    const isV1 = url.startsWith('/v1');
    const body = isV1 ? BODY : `${FORM}--x--\r\n`;
    const raw = begin(apiKey, url, isV1 ? json : multipart, body);
    raw.socket.write(body.slice(-1), 'latin1');
    const { pool } = t.deps.database;
    await until(
      async () => (await pool.query('select 1 from tasks where account_id = $1', [accountId])).rowCount! > 0,
    );
    await deleteAccount(t.deps.database, accountId);
    await raw.until(REFUSAL);
    raw.socket.destroy();
    await assertNothingLeft();
  });
}
