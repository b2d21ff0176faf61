import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { newStorageKey } from '../../storage/storage.ts';

const CONTENT = 'the bytes of a picture';
const HOUR_MS = 3_600_000;

let t: TestApp;
let key: string;
before(async () => {
  t = await startTestApp();
  key = await stored();
});
after(() => t.close());

async function stored(extension = 'png'): Promise<string> {
  const scratch = t.deps.storage.scratch.newPath(extension);
  await writeFile(scratch, CONTENT);
  const key = newStorageKey('output', extension);
  await t.deps.storage.put(key, scratch);
  return key;
}

/** Makes a link to the port that the test app listens on, whatever its public URL is. */
function link(of: string, expiresInMs = HOUR_MS): string {
  const { pathname, search } = new URL(t.deps.links.sign(of, new Date(Date.now() + expiresInMs)));
  return t.url + pathname + search;
}

test('a link gives the file to whoever holds it, and nothing that runs', async () => {
  const response = await fetch(link(key));
  assert.equal(response.status, 200);
  assert.equal(await response.text(), CONTENT);
  const { headers } = response;
  assert.equal(headers.get('content-type'), 'image/png');
  assert.equal(headers.get('content-length'), String(CONTENT.length));
  assert.match(headers.get('cache-control')!, /^private, max-age=(3600|35\d\d), immutable$/);
  assert.match(headers.get('content-security-policy')!, /sandbox/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('content-disposition')!, /^inline; filename="[0-9a-f]+\.png"$/);
  assert.match(headers.get('etag')!, /^"[0-9a-f]+"$/);
});

test('every type of output is delivered as what it is', async () => {
  const types = {
    jpg: 'image/jpeg',
    webp: 'image/webp',
    gif: 'image/gif',
    mp4: 'video/mp4',
    webm: 'video/webm',
    mov: 'video/quicktime',
  };
  for (const [extension, type] of Object.entries(types)) {
    const { headers } = await fetch(link(await stored(extension)), { method: 'HEAD' });
    assert.equal(headers.get('content-type'), type);
  }
});

test('HEAD says the same without the bytes', async () => {
  const response = await fetch(link(key), { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-length'), String(CONTENT.length));
  assert.equal(await response.text(), '');
});

test('a range gives its part; one beyond the file is 416', async () => {
  const part = await fetch(link(key), { headers: { range: 'bytes=4-8' } });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('content-range'), `bytes 4-8/${CONTENT.length}`);
  assert.equal(await part.text(), 'bytes');
  const beyond = await fetch(link(key), { headers: { range: 'bytes=500-' } });
  assert.equal(beyond.status, 416);
  assert.equal(beyond.headers.get('content-range'), `bytes */${CONTENT.length}`);
});

test('a copy that is still good is not sent again', async () => {
  const etag = (await fetch(link(key))).headers.get('etag')!;
  const again = await fetch(link(key), { headers: { 'if-none-match': `"x", W/${etag}` } });
  assert.equal(again.status, 304);
  const other = await fetch(link(key), { headers: { 'if-range': '"x"', range: 'bytes=0-1' } });
  assert.equal(other.status, 200);
});

test('a signature that is missing, changed, or of another file or time is 403', async () => {
  const good = new URL(link(key));
  const other = new URL(link(await stored()));
  const changes: ((url: URL) => void)[] = [
    (url) => url.searchParams.delete('signature'),
    (url) => url.searchParams.delete('expires'),
    (url) => url.searchParams.set('signature', ''),
    (url) => url.searchParams.set('signature', `${url.searchParams.get('signature')}=`),
    (url) => url.searchParams.append('signature', url.searchParams.get('signature')!),
    (url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1)),
    (url) => url.searchParams.set('expires', '1e12'),
    (url) => (url.pathname = other.pathname),
    (url) => (url.pathname = '/files/out/../../secret'),
    (url) => (url.pathname = '/files/'),
  ];
  for (const change of changes) {
    const url = new URL(good);
    change(url);
    const response = await fetch(url);
    // Above the files is no file's link, and so the answer of any unknown path.
    const [status, keys] = url.pathname === '/secret' ? [404, ['error', 'code']] : [403, ['error']];
    assert.equal(response.status, status, String(url));
    assert.deepEqual(Object.keys((await response.json()) as object), keys, String(url));
  }
});

test('a signature in another spelling of the same bytes is 403', async () => {
  const { url, signature } = linkWithDash();
  const standard = signature.replaceAll('-', '+').replaceAll('_', '/');
  for (const spelling of [standard, otherLastCharacter(signature), `${signature}==`, ` ${signature}`]) {
    assert.deepEqual(Buffer.from(spelling, 'base64url'), Buffer.from(signature, 'base64url'));
    url.searchParams.set('signature', spelling);
    assert.equal((await fetch(url)).status, 403, spelling);
  }
  url.searchParams.set('signature', signature);
  assert.equal((await fetch(url)).status, 200);
});

/** A good link whose signature has a character that the standard alphabet has not. */
function linkWithDash(): { url: URL; signature: string } {
  for (let expiresInMs = HOUR_MS; ; expiresInMs += 1000) {
    const url = new URL(link(key, expiresInMs));
    const signature = url.searchParams.get('signature')!;
    if (/[-_]/.test(signature)) return { url, signature };
  }
}

/** The last of 43 characters holds two bits that belong to no byte. */
function otherLastCharacter(signature: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1)!);
  return signature.slice(0, -1) + alphabet[last ^ 1];
}

test('an expired link is 410, and so is a file that was deleted before', async () => {
  assert.equal((await fetch(link(key, -1000))).status, 410);
  const gone = await stored();
  await t.deps.storage.delete(gone);
  assert.equal((await fetch(link(gone))).status, 410);
});

test('the same file and end give the same link, in every process', () => {
  const end = new Date('2027-01-01T00:00:00.123Z');
  assert.equal(t.deps.links.sign(key, end), t.deps.links.sign(key, new Date('2027-01-01T00:00:00.999Z')));
  assert.match(t.deps.links.sign(key, end), /\?expires=1798761600&signature=[\w-]{43}$/);
});

test('a file that is deleted just as it is asked for is gone, and no cache remembers that', async () => {
  const key = await stored('png');
  const { openRead } = t.deps.storage;
  t.deps.storage.openRead = async (...args) => {
    await t.deps.storage.delete(key);
    return openRead.apply(t.deps.storage, args);
  };
  const response = await fetch(link(key)).finally(() => (t.deps.storage.openRead = openRead));
  assert.equal(response.status, 410);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.deepEqual(await response.json(), { error: 'This file is no longer stored.' });
});
