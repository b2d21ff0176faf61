import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { PUBLIC_VERIFY_FORM, VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { PUBLIC_VERIFY_LIMITS } from '@guise/contract/limits.ts';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { signStill } from '@guise/media/provenance/sign-still.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { fixture, skipWithoutFixtures } from '../../../../../scripts/fixtures.ts';
import { dataDirLayout } from '../../config/data-dir.ts';
import { buildApp } from '../app.ts';
import { MAX_UPLOADS_PER_ACCOUNT } from '../plugins/with-upload.ts';
import { openRaw } from '../testing/raw-request.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const SWAPPED = 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';
const PUBLIC = PUBLIC_VERIFY_FORM.path;

let app: TestApp;
let apiKey: string;
let png: Buffer;
before(async () => {
  app = await startTestApp({ GUISE_TRUSTED_PROXIES: '127.0.0.1' }, { patienceMs: 500 });
  ({ apiKey } = await app.newKey());
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'grey' } })
    .png()
    .toBuffer();
});
after(() => app.close());

let hosts = 0;
/** An address that has sent nothing yet. */
function newAddress(): string {
  hosts += 1;
  return `198.51.${hosts >> 8}.${hosts & 255}`;
}

function only(bytes: Uint8Array, name = 'a.png'): FormData {
  const form = new FormData();
  form.append('file', new File([Uint8Array.from(bytes)], name));
  return form;
}

/** A picture of this size: what follows the last chunk is no part of the image. */
function padded(sizeBytes: number): FormData {
  return only(Buffer.concat([png, Buffer.alloc(sizeBytes - png.length)]));
}

interface PublicPost {
  readonly from?: string;
  readonly query?: string;
  /** Origin of the API process. */
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

function post(
  body: FormData | string,
  { from = newAddress(), query = '', url = app.url, headers }: PublicPost = {},
) {
  return fetch(url + PUBLIC + query, {
    method: 'POST',
    headers: { 'x-forwarded-for': from, ...headers },
    body,
  });
}

/** Posts the same form to the endpoint that needs an account. */
function postWithKey(body: FormData | string, query = '', headers: Record<string, string> = {}) {
  return fetch(app.url + VERIFY_FORM.path + query, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    body,
  });
}

async function contentsOf(answer: Response): Promise<[status: number, body: unknown]> {
  return [answer.status, await answer.json()];
}

/** Sends a request without a form, which counts like any other. */
async function statusFrom(from: string): Promise<number> {
  return (await post('', { from })).status;
}

async function passMinute(): Promise<void> {
  await app.deps.database.pool.query(
    `update sign_in_attempts set started_at = started_at - interval '60 s' where bucket = 'verify:minute'`,
  );
}

/** What pages are told. */
async function isOffered({ url }: TestApp): Promise<unknown> {
  return ((await (await fetch(`${url}/account/auth/config`)).json()) as { publicVerify: unknown })
    .publicVerify;
}

async function scratchFiles(): Promise<number> {
  return (await app.deps.storage.scratch.files()).length;
}

test('the answer is that of the endpoint for accounts, for own, changed and plain files', async () => {
  const identity = await loadSigningIdentity(
    await ensureSigningFiles(dataDirLayout(app.deps.config.dataDir).signing),
  );
  const claim = { generator: { name: 'guise', version: '1' }, digitalSourceType: SWAPPED };
  const own = Buffer.concat(await signStill(png, 'image/png', createManifestSigner(identity, claim)));
  const changed = Buffer.from(own);
  changed[changed.length - 20]! ^= 1;
  const seen: unknown[] = [];
  for (const bytes of [own, changed, png]) {
    const answer = await post(only(bytes));
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('set-cookie'), null);
    const [status, body] = await contentsOf(answer);
    assert.equal(status, 200);
    assert.deepEqual(body, (await contentsOf(await postWithKey(only(bytes))))[1]);
    const { file, credentials, ownSignature } = body as {
      file: { sha256: string };
      credentials: { valid: boolean } | null;
      ownSignature: boolean;
    };
    assert.equal(file.sha256, createHash('sha256').update(bytes).digest('hex'));
    seen.push([credentials?.valid, ownSignature]);
  }
  assert.deepEqual(seen, [
    [true, true],
    [false, false],
    [undefined, false],
  ]);
  assert.equal(await scratchFiles(), 0);
});

test('what is refused is refused as for accounts, and leaves nothing', async () => {
  const text = only(Buffer.from('just text'));
  const twice = only(png);
  twice.append('file', new File([Uint8Array.from(png)], 'b.png'));
  const unknown = only(png);
  unknown.append('note', 'x');
  const words = new FormData();
  words.append('file', 'text');
  for (const form of [new FormData(), only(Buffer.alloc(0)), text, twice, unknown, words, 'no form']) {
    const [status, body] = await contentsOf(await post(form));
    assert.equal(status, 400);
    assert.deepEqual(body, (await contentsOf(await postWithKey(form)))[1]);
  }
  const headers = { 'api-version': '1999-01-01' };
  assert.deepEqual(
    await contentsOf(await post(only(png), { headers })),
    await contentsOf(await postWithKey(only(png), '', headers)),
  );
  assert.deepEqual(
    await contentsOf(await post(only(png), { query: '?deep=1' })),
    await contentsOf(await postWithKey(only(png), '?deep=1')),
  );
  assert.equal(await scratchFiles(), 0);
});

test('30 MiB are read, a byte more is refused, naming the field and the limit', async () => {
  const limit = PUBLIC_VERIFY_LIMITS.fileBytes;
  assert.equal((await post(padded(limit))).status, 200);
  assert.deepEqual(await contentsOf(await post(padded(limit + 1))), [
    400,
    { error: 'file is larger than 31457280 bytes.', code: 'INVALID_REQUEST', field: 'file', limit },
  ]);
  assert.equal(await scratchFiles(), 0);
});

test('an address may send four files a minute and twenty an hour, to all API processes together', async (t) => {
  const from = newAddress();
  const second = await buildApp(app.deps);
  t.after(() => second.close());
  const url = await second.listen({ host: '127.0.0.1', port: 0 });
  const toSecond = async (): Promise<number> => (await post('', { from, url })).status;
  for (let minute = 0; minute < 5; minute += 1) {
    const statuses = [await statusFrom(from), await toSecond(), await statusFrom(from), await toSecond()];
    assert.deepEqual(statuses, [400, 400, 400, 400]);
    if (minute === 0) {
      const refused = await post(only(png), { from });
      const [status, { error, ...body }] = (await contentsOf(refused)) as [
        number,
        { error: string; resetSeconds: number },
      ];
      assert.deepEqual([status, body], [429, { ...body, code: 'RATE_LIMITED', limit: 4 }]);
      assert.ok(body.resetSeconds >= 1 && body.resetSeconds <= 60);
      assert.equal(error, `Too many attempts; try again in ${body.resetSeconds} seconds.`);
      assert.equal(refused.headers.get('retry-after'), String(body.resetSeconds));
      assert.equal(await toSecond(), 429);
      assert.equal(await statusFrom(newAddress()), 400);
    }
    await passMinute();
  }
  const refused = await post(only(png), { from });
  assert.equal(refused.status, 429);
  const { limit } = (await refused.json()) as { limit: number };
  assert.equal(limit, 20);
  assert.ok(Number(refused.headers.get('retry-after')) > 3000);
});

test('an IPv6 address counts by its /56, and an IPv4-mapped one as IPv4', async () => {
  for (const [addresses, same, other] of [
    [
      ['2001:db8:1:200::1', '2001:db8:1:200::2', '2001:db8:1:2a0:1::1', '2001:0db8:1:2b0::'],
      '2001:db8:1:2ff::9',
      '2001:db8:1:300::1',
    ],
    [['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109', '203.0.113.9'], '203.0.113.9', '203.0.113.10'],
  ] as const) {
    for (const from of addresses) assert.equal(await statusFrom(from), 400, from);
    assert.equal(await statusFrom(same), 429, same);
    assert.equal(await statusFrom(other), 400, other);
  }
});

test('many slow uploads without an account hold up others without one, and no account', async () => {
  const begun = Array.from({ length: MAX_UPLOADS_PER_ACCOUNT }, () =>
    openRaw(
      app.port,
      `POST ${PUBLIC} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${newAddress()}\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n' +
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nyyyy',
    ),
  );
  while ((await scratchFiles()) < begun.length) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await contentsOf(await post(only(png))), [
    429,
    {
      error: 'At most 8 uploads without an account are read at a time; try again in 30 seconds.',
      code: 'RATE_LIMITED',
      limit: 8,
      resetSeconds: 30,
    },
  ]);
  assert.equal((await postWithKey(only(png))).status, 200);
  for (const { socket } of begun) socket.destroy();
  while ((await scratchFiles()) > 0) await new Promise((resolve) => setImmediate(resolve));
});

test(
  'a hostile file is 400 or an answer that believes nothing, and none is left behind',
  { skip: skipWithoutFixtures },
  async () => {
    const names = readdirSync(fixture('hostile'));
    assert.ok(names.length > 0);
    for (const name of names) {
      const [status, body] = await contentsOf(
        await post(only(await readFile(fixture(`hostile/${name}`)), name)),
      );
      if (status === 400) continue;
      assert.equal(status, 200, name);
      const { marked, credentials } = body as { marked: boolean; credentials: { valid: boolean } | null };
      assert.ok(!marked && !credentials?.valid, name);
    }
    assert.equal(await scratchFiles(), 0);
  },
);

test('where the operator turned it off, neither the page nor the endpoint exists', async () => {
  const off = await startTestApp({ GUISE_PUBLIC_VERIFY: '0' });
  try {
    const html = { accept: 'text/html,*/*;q=0.8' };
    for (const init of [{ method: 'POST', body: only(png) }, { headers: html }, { method: 'HEAD' }]) {
      const answer = await fetch(off.url + PUBLIC, init);
      const unknown = await fetch(`${off.url}/files`, init);
      assert.equal(answer.status, 404);
      assert.equal(unknown.status, 404);
      assert.equal(await answer.text(), await unknown.text());
    }
    assert.deepEqual([await isOffered(off), await isOffered(app)], [false, true]);
  } finally {
    await off.close();
  }
});
