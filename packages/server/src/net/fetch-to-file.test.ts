import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type FetchedFile, type FetchLimits, fetchToFile } from './fetch-to-file.ts';
import { createGuardedClient, type GuardedClient } from './guarded-client.ts';
import { type LoopbackServer, startLoopbackServer } from './testing/loopback-server.ts';

const LIMITS: FetchLimits = { maxBytes: 1_000_000, idleMs: 60_000, totalMs: 60_000 };
const BODY = randomBytes(1_000_000);

let dir: string;
let server: LoopbackServer;
let client: GuardedClient;
/** What the server says on the next request. */
let answer: (request: IncomingMessage, response: ServerResponse, socket: Socket) => void;
before(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'guise-net-'));
  server = await startLoopbackServer((...of) => answer(...of));
  client = createGuardedClient({ allowPrivate: true });
});
after(async () => {
  await client.close();
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

const fetchIt = (limits = LIMITS, signal?: AbortSignal, client_ = client): Promise<FetchedFile> =>
  fetchToFile(client_, `http://127.0.0.1:${server.port}/x`, path.join(dir, 'file'), limits, signal);

async function fails(
  limits: FetchLimits,
  expected: { code: string; message: string | RegExp },
): Promise<void> {
  await assert.rejects(fetchIt(limits), { name: 'NetError', ...expected });
  assert.deepEqual(await readdir(dir), [], 'something was left behind');
}

/** Repeats until the other side has gone. */
function drip(write: () => void, response: ServerResponse): void {
  const timer = setInterval(write, 20);
  response.on('close', () => clearInterval(timer));
}

test('a body is stored as it came, with its size and hash, declared or chunked, exactly at the limit', async () => {
  const expected = { sizeBytes: BODY.length, sha256: createHash('sha256').update(BODY).digest('hex') };
  for (const head of [{ 'content-length': String(BODY.length) }, { 'content-encoding': 'identity' }]) {
    answer = (_request, response) => {
      response.writeHead(200, head);
      response.write(BODY.subarray(0, 10));
      response.end(BODY.subarray(10));
    };
    assert.deepEqual(await fetchIt(), expected);
    assert(BODY.equals(await readFile(path.join(dir, 'file'))));
    await rm(path.join(dir, 'file'));
  }
});

test('a declared body beyond the limit is refused before it is sent', async () => {
  let written = 0;
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': String(BODY.length + 1) });
    response.flushHeaders();
    response.on('drain', () => (written += 1));
  };
  await fails(LIMITS, { code: 'TOO_LARGE', message: 'it is larger than 1000000 bytes' });
  assert.equal(written, 0);
});

test('chunks beyond the limit and endless bodies are cut off there', async () => {
  answer = (_request, response) => {
    response.write(BODY);
    response.end('1');
  };
  await fails(LIMITS, { code: 'TOO_LARGE', message: 'it is larger than 1000000 bytes' });
  let sent = 0;
  answer = (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(BODY)) sent += BODY.length;
    };
    response.on('error', () => {});
    response.on('drain', more);
    more();
  };
  await fails(LIMITS, { code: 'TOO_LARGE', message: 'it is larger than 1000000 bytes' });
  assert(sent < 50_000_000, `${sent} bytes were taken`);
});

test('a body shorter than declared is a failure, and one that is longer is cut at its declaration', async () => {
  answer = (_request, _response, socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
  await fails(LIMITS, { code: 'UNREACHABLE', message: 'the connection failed' });
  answer = (_request, _response, socket) =>
    socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n');
  await fails(LIMITS, { code: 'UNREACHABLE', message: 'the connection failed' });
  answer = (_request, _response, socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdefgh');
  assert.equal((await fetchIt()).sizeBytes, 3);
  await rm(path.join(dir, 'file'));
});

test('contradictory lengths and answers that are not HTTP are refused', async () => {
  for (const head of [
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
    'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nabcd',
    'SSH-2.0-OpenSSH_9.6\r\n',
    '220 mail.example.com ESMTP\r\n',
  ]) {
    answer = (_request, _response, socket) => socket.end(head);
    await fails(LIMITS, {
      code: 'UNREACHABLE',
      message: /^(the answer is not valid HTTP|the connection failed)$/,
    });
  }
});

test('silence ends by the idle limit: before the head, and in the middle of the body', async () => {
  const limits = { ...LIMITS, idleMs: 200 };
  answer = () => {};
  await fails(limits, { code: 'UNREACHABLE', message: 'the server did not answer in time' });
  answer = (_request, response) => void response.write('a');
  await fails(limits, { code: 'UNREACHABLE', message: 'the server did not answer in time' });
});

test('a drip of bytes, in the head or in the body, ends by the total limit', async () => {
  const message = 'it took longer than 0.6 seconds';
  const limits = { ...LIMITS, totalMs: 600 };
  answer = (_request, response) => drip(() => response.write('a'), response);
  await fails(
    { ...LIMITS, idleMs: 2000, totalMs: 3000 },
    { code: 'UNREACHABLE', message: 'it took longer than 3 seconds' },
  );
  answer = (_request, response, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ');
    drip(() => socket.write('a'), response);
  };
  await fails(limits, { code: 'UNREACHABLE', message });
  answer = (_request, response) => drip(() => response.writeProcessing(), response);
  await fails(limits, { code: 'UNREACHABLE', message });
});

test('the head of an answer is limited', async () => {
  answer = (_request, response) => response.writeHead(200, { x: 'y'.repeat(20_000) }).end();
  await fails(LIMITS, { code: 'UNREACHABLE', message: 'the head of the answer is too large' });
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`header-${n}`, 'y'.repeat(20)]));
  answer = (_request, response) => response.writeHead(200, many).end();
  await fails(LIMITS, { code: 'UNREACHABLE', message: 'the head of the answer is too large' });
});

test('nothing is decompressed: an encoded answer is refused', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'unknown']) {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync(Buffer.alloc(1_000_000)));
    await fails(LIMITS, {
      code: 'UNREACHABLE',
      message: 'the server sent a compressed response, which guise does not accept',
    });
  }
});

test('any status but 200 is refused, a redirect without a target included', async () => {
  for (const status of [201, 204, 206, 300, 302, 304, 401, 404, 500, 503]) {
    answer = (_request, response) => response.writeHead(status).end();
    await fails(LIMITS, { code: 'UNREACHABLE', message: `the server answered with status ${status}` });
  }
});

test('a port where nobody listens is one plain sentence without the address', async () => {
  const gone = await startLoopbackServer(() => {});
  await gone.close();
  for (const host of ['127.0.0.1', 'localhost']) {
    await assert.rejects(
      fetchToFile(client, `http://${host}:${gone.port}/`, path.join(dir, 'file'), LIMITS),
      {
        name: 'NetError',
        code: 'UNREACHABLE',
        message: 'the connection failed',
      },
    );
  }
  assert.deepEqual(await readdir(dir), []);
});

test('a caller that gives up gets its own reason, before, while waiting and in the middle; nothing is left', async () => {
  const reason = new Error('the client has gone');
  answer = (_request, response) => response.end('x');
  const connections = server.connections();
  await assert.rejects(fetchIt(LIMITS, AbortSignal.abort(reason)), reason);
  assert.equal(server.connections(), connections);
  for (const begin of [
    () => {},
    (response: ServerResponse) => void response.write(BODY.subarray(0, 100_000)),
  ]) {
    const stop = new AbortController();
    answer = (_request, response) => {
      begin(response);
      setImmediate(() => stop.abort(reason));
    };
    await assert.rejects(fetchIt(LIMITS, stop.signal), reason);
    assert.deepEqual(await readdir(dir), []);
  }
});

test('a closed client ends what is under way', async () => {
  const other = createGuardedClient({ allowPrivate: true });
  answer = (_request, response) => {
    response.write('a');
    void other.close();
  };
  await assert.rejects(fetchIt(LIMITS, undefined, other), { name: 'NetError', code: 'UNREACHABLE' });
  assert.deepEqual(await readdir(dir), []);
});

test('a file that exists is neither overwritten nor deleted', async () => {
  const file = path.join(dir, 'file');
  await writeFile(file, 'mine');
  answer = (_request, response) => response.end('x');
  await assert.rejects(fetchIt(), { code: 'EEXIST' });
  assert.equal(await readFile(file, 'utf8'), 'mine');
  await rm(file);
});
