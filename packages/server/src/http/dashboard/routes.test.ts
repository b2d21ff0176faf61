import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openRaw } from '../testing/raw-request.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const PAGE =
  '<!doctype html><meta nonce="__CSP_NONCE__"><script type="module" src="/assets/app-1.js"></script>';
const HTML = { accept: 'text/html,*/*;q=0.8' };

/** Only the headers: the contents of these files are no real encodings. */
function openHeaders(pathname: string, encodings: string): Promise<Response> {
  return fetch(app.url + pathname, { method: 'HEAD', headers: { 'accept-encoding': encodings } });
}

let root: string;
let app: TestApp;
before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'guise-dashboard-'));
  const dist = path.join(root, 'dist');
  await mkdir(path.join(dist, 'assets'), { recursive: true });
  await writeFile(path.join(dist, 'index.html'), PAGE);
  await writeFile(path.join(dist, 'assets/app-1.js'), 'export {};');
  for (const [name, content] of [
    ['big-1.js', 'plain'],
    ['big-1.js.br', 'br'],
    ['big-1.js.gz', 'gz!'],
  ] as const)
    await writeFile(path.join(dist, 'assets', name), content);
  await writeFile(path.join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(path.join(dist, '.env'), 'secret');
  await writeFile(path.join(root, 'secret.txt'), 'secret');
  app = await startTestApp({ GUISE_DASHBOARD_DIR: dist });
});
after(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

test("every path of the app is its page, with a nonce of its own that the page's policy names", async () => {
  const nonces = new Set<string>();
  for (const url of ['/', '/sign-in', '/operator/accounts/1', '/sign-up?x=1']) {
    const page = await fetch(app.url + url, { headers: HTML });
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    const nonce = /nonce="([^"]+)"/.exec(await page.text())![1]!;
    const policy = page.headers.get('content-security-policy')!;
    assert(policy.includes(`style-src 'self' 'nonce-${nonce}'`));
    assert(policy.includes("script-src 'self';") && policy.includes("frame-ancestors 'none'"));
    assert.doesNotMatch(policy, /script-src[^;]*(unsafe|http)|\*/);
    assert.deepEqual(new Set(policy.match(/https?:[^ ;]+/g)), new Set([app.deps.config.publicUrl]));
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 4);
});

test('hashed files are kept for ever, others are asked for again', async () => {
  const script = await fetch(`${app.url}/assets/app-1.js`);
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.match(script.headers.get('cache-control')!, /immutable/);
  assert.equal(await script.text(), 'export {};');
  const icon = await fetch(`${app.url}/icon.svg`);
  assert.equal(icon.headers.get('cache-control'), 'no-cache');
  assert.match(icon.headers.get('content-security-policy')!, /sandbox/);
  const head = await fetch(`${app.url}/assets/app-1.js`, { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), '10');
});

test('a file that the build has compressed is sent so to those who accept it', async () => {
  const get = async (encodings: string): Promise<[string | null, string | null, number]> => {
    const { headers } = await openHeaders('/assets/big-1.js', encodings);
    return [headers.get('content-encoding'), headers.get('vary'), Number(headers.get('content-length'))];
  };
  assert.deepEqual(await get('gzip, deflate, br'), ['br', 'accept-encoding', 2]);
  assert.deepEqual(await get('gzip'), ['gzip', 'accept-encoding', 3]);
  assert.deepEqual(await get('br;q=0, gzip'), ['gzip', 'accept-encoding', 3]);
  assert.deepEqual(await get('br ; q=0 , gzip;q=0.5'), ['gzip', 'accept-encoding', 3]);
  assert.deepEqual(await get('identity'), [null, 'accept-encoding', 5]);
  assert.equal((await openHeaders('/assets/app-1.js', 'br')).headers.get('content-encoding'), null);
  assert.equal((await fetch(`${app.url}/assets/big-1.js.br`)).status, 404);
});

test('what is no file of the build and no page of the app is 404', async () => {
  for (const url of ['/assets/gone.js', '/.env', '/index.php', '/assets', '/made-up']) {
    assert.equal((await fetch(app.url + url)).status, 404, url);
  }
  for (const url of ['/assets/gone.js', '/api/none', '/account/none', '/v1/none', '/files', '/metrics/x']) {
    const answer = await fetch(app.url + url, { headers: HTML });
    assert([400, 403, 404].includes(answer.status), `${url} ${answer.status}`);
    assert.match(answer.headers.get('content-type')!, /json/, url);
  }
  assert.equal((await fetch(`${app.url}/`, { method: 'POST', headers: HTML })).status, 404);
});

test('no path leads out of the build', async () => {
  for (const target of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '//[',
    '/assets/app-1.js%00.txt',
  ]) {
    const answer = await openRaw(app.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      .closed;
    assert.doesNotMatch(answer, /\r\n\r\nsecret/, target);
    assert.match(answer, /^HTTP\/1\.1 40[04]/, target);
  }
});

test('without a build the page says how to make one', async () => {
  const unbuilt = await startTestApp({ GUISE_DASHBOARD_DIR: path.join(root, 'nowhere') });
  try {
    const page = await fetch(unbuilt.url, { headers: HTML });
    assert.equal(page.status, 503);
    assert.match(await page.text(), /npm run build/);
  } finally {
    await unbuilt.close();
  }
});
