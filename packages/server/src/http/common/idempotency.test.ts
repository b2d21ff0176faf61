import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { setPlan } from '../../accounts/testing/set-plan.ts';
import { buildApp } from '../app.ts';
import { openRaw } from '../testing/raw-request.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
/** Service on the same data under an operator who allows less by now. */
let strictUrl: string;
let closeStrict: () => Promise<void>;
let picture: Buffer;
before(async () => {
  app = await startTestApp({ GUISE_ALLOW_PRIVATE_URLS: '1' });
  const config = { ...app.deps.config, maxImagePixels: 16, allowPrivateUrls: false };
  const strict = await buildApp({ ...app.deps, config });
  strictUrl = await strict.listen({ host: '127.0.0.1', port: 0 });
  closeStrict = () => strict.close();
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
});
after(async () => {
  await closeStrict();
  await app.close();
});

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Makes the body of a v1 batch; targets are fetched only when their turn comes. */
function batch(targets: number, webhook_url?: string): string {
  return JSON.stringify({
    source_image: picture.toString('base64'),
    target_images: Array.from({ length: targets }, (_, index) => `http://127.0.0.1:8080/${index}`),
    webhook_url,
  });
}

async function send(url: string, apiKey: string, key: string, body: FormData | string): Promise<Sent> {
  const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, 'idempotency-key': key };
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

function codeOf({ status, text }: Sent): unknown[] {
  return [status, (JSON.parse(text) as { error: unknown }).error];
}

async function filesAtRest(): Promise<string[]> {
  return (await readdir(app.mediaDir, { recursive: true })).toSorted();
}

test('a batch of v1 is answered again after its plan, and what its operator allows, became less', async () => {
  const { database } = app.deps;
  const { accountId, apiKey } = await app.newKey();
  const post = (key: string, body: string, to = app.url): Promise<Sent> =>
    send(`${to}/v1/batch-swap`, apiKey, key, body);
  const large = batch(51, 'http://127.0.0.1:8080/hook');
  const first = await post('large', large);
  assert.equal(first.status, 202, first.text);
  const before = await filesAtRest();
  await setPlan(database, accountId, 'pro');
  assert.deepEqual(await post('large', large), first);
  assert.deepEqual(await post('large', large, strictUrl), first);
  assert.deepEqual(await filesAtRest(), before);
  assert.deepEqual(codeOf(await post('large', batch(52))), [409, 'IDEMPOTENCY_CONFLICT']);
  assert.deepEqual(codeOf(await post('other', large)), [400, 'BATCH_TOO_LARGE']);
  const small = batch(1, 'http://127.0.0.1:8080/hook');
  assert.deepEqual(codeOf(await post('small', small, strictUrl)), [400, 'INVALID_WEBHOOK_URL']);
});

test('a key that is forgotten while its batch comes in leads around no limit of the plan', async () => {
  const { database } = app.deps;
  const { accountId, apiKey } = await app.newKey();
  const body = batch(51);
  assert.equal((await send(`${app.url}/v1/batch-swap`, apiKey, 'old', body)).status, 202);
  await setPlan(database, accountId, 'pro');
  const head = [
    'POST /v1/batch-swap HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Idempotency-Key: old',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  const connection = openRaw(app.port, `${head.join('\r\n')}\r\n\r\n`);
  await connection.until(/ 100 [^]*\r\n\r\n/);
  await database.pool.query('delete from idempotency_keys where account_id = $1', [accountId]);
  connection.socket.write(body);
  assert.match(await connection.until(/"request_id"/), / 400 [^]*"BATCH_TOO_LARGE"/);
  connection.socket.destroy();
});

test('a photo is answered again before its files are looked at', async () => {
  const { apiKey } = await app.newKey();
  const form = new FormData();
  for (const name of ['sourceImage', 'targetImage']) form.append(name, new Blob([picture]), 'a.png');
  const first = await send(`${app.url}/api/ai-tasks`, apiKey, 'photo', form);
  assert.equal(first.status, 200, first.text);
  const before = await filesAtRest();
  assert.deepEqual(await send(`${strictUrl}/api/ai-tasks`, apiKey, 'photo', form), first);
  assert.deepEqual(await filesAtRest(), before);
  const refused = await send(`${strictUrl}/api/ai-tasks`, apiKey, 'another', form);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /16/);
});
