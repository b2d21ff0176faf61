import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { addressPolicy } from './address-policy.ts';
import { createGuardedClient, type GuardedClient, type GuardedClientOptions } from './guarded-client.ts';
import { NetError } from './net-error.ts';
import type { ResolveHost } from './resolve-host.ts';
import { type LoopbackServer, startLoopbackServer } from './testing/loopback-server.ts';

const IDLE_MS = 60_000;
/**
 * Plays the public internet: 127.0.0.1 counts as public, every other address is judged as always.
 */
const strict = addressPolicy({ allowPrivate: false });
const permits = (address: string): boolean => address === '127.0.0.1' || strict(address);

let outside: LoopbackServer;
let inside: LoopbackServer;
let received: IncomingMessage['headers'][] = [];
before(async () => {
  outside = await startLoopbackServer(answerOutside);
  inside = await startLoopbackServer((_request, response) => response.end('secret'));
});
after(async () => {
  await outside.close();
  await inside.close();
});

/** `/to?URL` redirects there, with the status in the header `x-status` or 302. */
function answerOutside(request: IncomingMessage, response: ServerResponse): void {
  received.push(request.headers);
  const to = /^\/to(\d*)\?(.*)$/.exec(request.url ?? '');
  if (to !== null) {
    response.writeHead(Number(to[1] || 302), { location: decodeURIComponent(to[2]!) });
    response.end('moved');
    return;
  }
  response.end(`${request.method} ${request.url}`);
}

function newClient(t: TestContext, options: Partial<GuardedClientOptions> = {}): GuardedClient {
  const client = createGuardedClient({ allowPrivate: false, ...options });
  t.after(() => client.close());
  return client;
}

const names =
  (table: Record<string, string[]>): ResolveHost =>
  async (host) => {
    const found = table[host];
    if (found === undefined)
      throw Object.assign(new Error(`queryA ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return found;
  };

async function get(client: GuardedClient, url: string): Promise<{ status: number; text: string }> {
  const { status, body } = await client.open(url, { idleMs: IDLE_MS });
  let text = '';
  for await (const part of body) text += String(part);
  return { status, text };
}

/** Refused, with this sentence, and nobody inside was connected to. */
async function refuses(client: GuardedClient, url: string, message: string | RegExp): Promise<void> {
  for (const ask of [
    () => get(client, url),
    () => client.post(url, { headers: {}, body: '{}', totalMs: IDLE_MS }),
  ]) {
    await assert.rejects(ask, (error) => {
      assert(error instanceof NetError, `${url}: ${String(error)}`);
      assert.equal(error.code, 'UNREACHABLE');
      if (typeof message === 'string') assert.equal(error.message, message, url);
      else assert.match(error.message, message, url);
      assert.doesNotMatch(error.message, /\d+\.\d+\.\d+|::/, 'an address in the sentence');
      return true;
    });
  }
  assert.equal(inside.connections(), 0, url);
}

const redirect = (to: string, status: number | '' = ''): string =>
  `http://127.0.0.1:${outside.port}/to${status}?${encodeURIComponent(to)}`;
const NOT_PUBLIC = 'its host has no public address';
const NOT_RESOLVED = 'its host name cannot be resolved to a public address';

test('no spelling of a loopback, private or metadata address is ever connected to', async (t) => {
  const client = newClient(t);
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '[fe80::1]',
    '[fd00::1]',
    'localhost',
    'localhost.',
    'a.localhost',
  ]) {
    await refuses(client, `http://${host}:${inside.port}/`, NOT_PUBLIC);
  }
});

test('names that resolve there are refused, by one bad answer among good ones, whatever its form', async (t) => {
  const client = newClient(t, {
    resolve: names({
      'loopback.test': ['127.0.0.1'],
      'loopback6.test': ['::1'],
      'mapped.test': ['::ffff:127.0.0.1'],
      'translated.test': ['64:ff9b::7f00:1'],
      'tunnel.test': ['2002:7f00:1::'],
      'metadata.test': ['169.254.169.254'],
      'last.test': ['8.8.8.8', '2606:4700::1111', '127.0.0.1'],
      'first.test': ['::1', '8.8.8.8'],
      'zone.test': ['fe80::1%lo'],
      'unspecified.test': ['0.0.0.0'],
      'odd.test': ['127.1'],
      'none.test': [],
      'mixed.test.': ['127.0.0.1', '8.8.8.8'],
    }),
  });
  for (const host of [
    'loopback',
    'loopback6',
    'mapped',
    'translated',
    'tunnel',
    'metadata',
    'last',
    'first',
    'zone',
    'unspecified',
    'odd',
    'none',
    'mixed.test.',
    'missing',
  ]) {
    await refuses(
      client,
      `http://${host.includes('.') ? host : `${host}.test`}:${inside.port}/`,
      NOT_RESOLVED,
    );
  }
});

test('a name that turns private after it was public is refused at the very next connection', async (t) => {
  let asked = 0;
  const answers = [['127.0.0.1'], ['::1'], ['127.0.0.1', '::1']];
  const client = newClient(t, { permits, resolve: async () => answers[asked++] ?? ['::1'] });
  const url = `http://rebind.test:${outside.port}/`;
  assert.deepEqual(await get(client, url), { status: 200, text: 'GET /' });
  // The same name on another port: another connection, hence another look-up.
  await refuses(client, `http://rebind.test:${inside.port}/`, NOT_RESOLVED);
  await refuses(client, `http://rebind.test:${inside.port}/`, NOT_RESOLVED);
  assert.equal(asked, 5);
});

test('the address of the connected socket has the last word', async (t) => {
  // A policy that changes its mind plays an address that was replaced between look-up and
  // connection.
  let judged = 0;
  const client = newClient(t, {
    permits: () => judged++ % 2 === 0,
    resolve: names({ 'swap.test': ['127.0.0.1'] }),
  });
  const before = received.length;
  await assert.rejects(get(client, `http://swap.test:${outside.port}/`), { message: NOT_PUBLIC });
  await assert.rejects(get(client, `http://swap.test:${outside.port}/`), { message: NOT_PUBLIC });
  assert.equal(received.length, before, 'a request was sent');
});

test('a connection is never used for another host, though both have one address', async (t) => {
  const client = newClient(t, { permits, resolve: names({ 'a.test': ['127.0.0.1'], 'b.test': ['::1'] }) });
  for (let n = 0; n < 2; n++) {
    assert.equal((await get(client, `http://a.test:${outside.port}/`)).text, 'GET /');
    await refuses(client, `http://b.test:${outside.port}/`, NOT_RESOLVED);
  }
});

test('redirects lead to public addresses only, over http and https only, without credentials', async (t) => {
  const client = newClient(t, {
    permits,
    resolve: names({ 'inside.test': ['::1'], 'ok.test': ['127.0.0.1'] }),
  });
  const cases: [string, string][] = [
    [`http://[::1]:${inside.port}/`, NOT_PUBLIC],
    [`http://127.0.0.2:${inside.port}/`, NOT_PUBLIC],
    [`http://2130706434:${inside.port}/`, NOT_PUBLIC],
    [`http://0x7f.2:${inside.port}/`, NOT_PUBLIC],
    [`http://inside.test:${inside.port}/`, NOT_RESOLVED],
    [`//[::ffff:127.0.0.1]:${inside.port}/`, NOT_PUBLIC],
    ['http://169.254.169.254/latest/meta-data/', NOT_PUBLIC],
    ['file:///etc/passwd', 'only http and https URLs are fetched'],
    ['ftp://ok.test/', 'only http and https URLs are fetched'],
    [`http://u:p@ok.test:${outside.port}/`, 'a URL must not hold a user name or password'],
    ['http://ok.test:25/', 'its port is not allowed, because it belongs to another kind of service'],
    ['http://[', 'it is not a valid URL'],
  ];
  for (const [to, message] of cases) {
    for (const status of [301, 302, 303, 307, 308]) {
      await assert.rejects(get(client, redirect(to, status)), {
        name: 'NetError',
        code: 'UNREACHABLE',
        message,
      });
    }
    // Two hops away as well.
    await assert.rejects(get(client, redirect(redirect(to))), { name: 'NetError', message });
  }
  assert.equal(inside.connections(), 0);
});

test('three redirects are followed and not a fourth; a loop ends', async (t) => {
  const client = newClient(t, { permits });
  let url = `http://127.0.0.1:${outside.port}/end`;
  for (let hops = 1; hops <= 3; hops++) {
    url = redirect(url);
    assert.equal((await get(client, url)).text, 'GET /end', `${hops}`);
  }
  const message = 'it redirects more than 3 times';
  await assert.rejects(get(client, redirect(url)), { name: 'NetError', message });
  // A relative reference with no target of its own leads to itself.
  const before = received.length;
  await assert.rejects(get(client, `http://127.0.0.1:${outside.port}/to?%23`), { name: 'NetError', message });
  assert.equal(received.length - before, 4);
});

test('nothing of ours travels along: no credentials, no cookies, and compression is not asked for', async (t) => {
  const client = newClient(t, { permits });
  received = [];
  await get(client, redirect(`http://127.0.0.1:${outside.port}/end`));
  assert.equal(received.length, 2);
  for (const headers of received) {
    assert.deepEqual(Object.keys(headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    assert.equal(headers['accept-encoding'], 'identity');
  }
});

test('a post sends its headers and body, follows nothing, and keeps at most 4 KiB of the answer', async (t) => {
  const server = await startLoopbackServer(async (request, response) => {
    if (request.url === '/endless') {
      response.writeHead(201);
      response.on('error', () => {});
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1000)));
      };
      response.on('drain', more);
      return more();
    }
    if (request.url === '/stalled') {
      response.writeHead(410);
      response.write('gone');
      return;
    }
    let text = '';
    for await (const part of request) text += String(part);
    response.end(`${request.method} ${request.headers['webhook-id']} ${text}`);
  });
  t.after(() => server.close());
  const client = newClient(t, { permits });
  const post = (path: string, totalMs = IDLE_MS): ReturnType<GuardedClient['post']> =>
    client.post(`http://127.0.0.1:${server.port}${path}`, {
      headers: { 'webhook-id': 'm1' },
      body: '{"a":1}',
      totalMs,
    });
  assert.deepEqual(await post('/'), { status: 200, bodyStart: 'POST m1 {"a":1}' });
  assert.deepEqual(await post('/endless'), { status: 201, bodyStart: 'x'.repeat(4096) });
  assert.deepEqual(await post('/stalled', 3000), { status: 410, bodyStart: 'gone' });
  const moved = await client.post(redirect(`http://127.0.0.1:${outside.port}/end`, 307), {
    headers: {},
    body: '',
    totalMs: IDLE_MS,
  });
  assert.deepEqual(moved, { status: 307, bodyStart: 'moved' });
});

test('a post without an answer ends in time, and one that is called off ends with its reason', async (t) => {
  const silent = createTcpServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const client = newClient(t, { permits });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  await assert.rejects(client.post(url, { headers: {}, body: '', totalMs: 200 }), {
    name: 'NetError',
    message: 'it took longer than 0.2 seconds',
  });
  const stop = new AbortController();
  const reason = new Error('stopped');
  const connected = once(silent, 'connection');
  const answer = client.post(url, { headers: {}, body: '', totalMs: IDLE_MS, signal: stop.signal });
  void connected.then(() => stop.abort(reason));
  await assert.rejects(answer, reason);
});

test('with private addresses allowed loopback answers, by address and by name', async (t) => {
  const client = newClient(t, { allowPrivate: true });
  for (const host of ['127.0.0.1', '2130706433', '[::1]', 'localhost']) {
    assert.equal((await get(client, `http://${host}:${outside.port}/`)).text, 'GET /', host);
  }
  await refuses(client, `http://[::ffff:127.0.0.1]:${inside.port}/`, NOT_PUBLIC);
  await refuses(client, `http://0.0.0.0:${inside.port}/`, NOT_PUBLIC);
});

test('TLS must be trusted, and a redirect does not leave it', async (t) => {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=tls.test',
    keys,
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'tls.test' }])],
  });
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  const server = createHttpsServer({ key, cert: certificate.toString('pem') }, answerOutside);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const trusted = getCACertificates('default');
  t.after(() => {
    setDefaultCACertificates(trusted);
    server.close();
    server.closeAllConnections();
  });
  const origin = `https://tls.test:${(server.address() as AddressInfo).port}`;
  const resolve = names({ 'tls.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });
  const untrusting = newClient(t, { permits, resolve });
  await refuses(untrusting, `${origin}/`, 'no trusted TLS connection could be made');

  setDefaultCACertificates([certificate.toString('pem')]);
  const client = newClient(t, { permits, resolve });
  assert.equal((await get(client, `${origin}/end`)).text, 'GET /end');
  assert.equal((await get(client, `${origin}/to?/end`)).text, 'GET /end');
  assert.equal((await get(client, redirect(`${origin}/end`))).text, 'GET /end');
  await assert.rejects(
    get(client, `${origin}/to?${encodeURIComponent(`http://127.0.0.1:${outside.port}/end`)}`),
    {
      name: 'NetError',
      message: 'it redirects from https to http',
    },
  );
  // A certificate of another name.
  await refuses(client, origin.replace('tls.test', 'other.test'), 'no trusted TLS connection could be made');
});
