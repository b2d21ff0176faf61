import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { PassThrough, Readable } from 'node:stream';
import { after, before, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { V1_LIMITS } from '@guise/contract/limits.ts';
import { BATCH_SWAP_BODY, IMAGE_SWAP_BODY, VIDEO_SWAP_BODY } from '@guise/contract/v1/bodies.ts';
import type { BodyDeclaration } from '@guise/contract/v1/body.ts';
import { DiskRoom } from '../storage/disk-room.ts';
import type { GivenMedia } from './media-string.ts';
import type { ReadBody } from './json-body-reader.ts';
import { discardBody, readJson } from './read-json.ts';

let folder: string;
let files = 0;
const storage = { newPath: () => path.join(folder, String(files++)) };
const room = await new DiskRoom(async () => Infinity, 0).promise('ann', 0);
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'guise-json-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const HEADERS = { 'content-type': 'application/json' };

/** A request as the reader sees it, its body in the pieces given. */
function asRequest(pieces: Iterable<Buffer>, headers: object = HEADERS): IncomingMessage {
  const stream = Readable.from(pieces);
  const state = { complete: true };
  return Object.assign(stream, { headers, ...state }) as unknown as IncomingMessage;
}

function read(
  text: string | Buffer,
  {
    declaration = IMAGE_SWAP_BODY,
    maxImages = 100,
    cut = 4096,
  }: { declaration?: BodyDeclaration; maxImages?: number; cut?: number } = {},
): Promise<ReadBody> {
  return readJson(asRequest(piecesOf(Buffer.from(text), cut)), declaration, { maxImages }, storage, room);
}

function* piecesOf(body: Buffer, cut: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += cut) yield body.subarray(at, at + cut);
}

async function content(given: GivenMedia): Promise<string> {
  if (given.kind === 'url') return given.url;
  const bytes = await readFile(given.path);
  assert.equal(given.sha256, createHash('sha256').update(bytes).digest('hex'));
  return bytes.toString('hex');
}

/** Everything that was read, files by their content. */
async function contentsOf({ scalars, media, lists }: ReadBody): Promise<object> {
  const all: Record<string, unknown> = Object.fromEntries(scalars);
  for (const [name, given] of media) all[name] = await content(given);
  for (const [name, list] of lists) all[name] = await Promise.all(list.map(content));
  return all;
}

const hex = (text: string) => Buffer.from(text).toString('hex');

test('a body cut anywhere in two is read the same', async () => {
  const body = Buffer.from(
    ' {"source_image" : "data:image\\/png;base64,aG\\nVs bG8\\u003d", "target_images":["d29y\\/\\/8", "https://é.example/a?b=\\u0026\\ud83d\\ude00"],' +
      '\t"output_format":"\\u0070ng"\r\n} ',
  );
  const expected = {
    source_image: hex('hello'),
    target_images: [
      Buffer.from('d29y//8=', 'base64').toString('hex'),
      'https://xn--9ca.example/a?b=&%F0%9F%98%80',
    ],
    output_format: 'png',
  };
  for (let at = 0; at <= body.length; at += 1) {
    const pieces = [body.subarray(0, at), body.subarray(at)].filter(({ length }) => length > 0);
    const got = await readJson(asRequest(pieces), BATCH_SWAP_BODY, { maxImages: 2 }, storage, room);
    assert.deepEqual(await contentsOf(got), expected, `cut at ${at}`);
    await discardBody(got);
  }
  assert.deepEqual(await contentsOf(await read(body, { declaration: BATCH_SWAP_BODY, cut: 1 })), expected);
});

test('a byte order mark before the object is skipped, however it is cut; elsewhere, or a part of one, is refused', async () => {
  const text = '\ufeff{"face_index":7}';
  for (const cut of [1, 2, 3, 4096]) {
    assert.deepEqual(await contentsOf(await read(text, { cut })), { face_index: 7 }, `cut at ${cut}`);
  }
  const message = /must be a JSON object/;
  for (const wrong of [`\ufeff${text}`, ` ${text}`, '\ufeff', '\ufeff7']) {
    await assert.rejects(read(wrong), { code: 'INVALID_REQUEST', message }, JSON.stringify(wrong));
  }
  const part = Buffer.from(text).subarray(1);
  for (const wrong of [part, part.subarray(1), Buffer.from([0xef, 0x7b, 0x7d])]) {
    await assert.rejects(read(wrong), { code: 'INVALID_REQUEST', message }, wrong.toString('hex'));
  }
});

test('a URL is kept as it will be asked for, so that PostgreSQL can keep it', async () => {
  const { lists } = await read(
    '{"target_images":["https://example.com/a\\u0000b\\ud800", " https://EXAMPLE.com "]}',
    { declaration: BATCH_SWAP_BODY },
  );
  assert.deepEqual(
    lists.get('target_images')!.map((given) => given.kind === 'url' && given.url),
    ['https://example.com/a%00b%EF%BF%BD', 'https://example.com/'],
  );
});

test('base64 whose slashes are all escaped comes to the disk in large pieces', async () => {
  const bytes = randomBytes(300_000);
  const escaped = bytes.toString('base64').replaceAll('/', '\\/');
  const probe = await open(path.join(folder, 'probe'), 'w');
  const writes = mock.method(Object.getPrototypeOf(probe), 'write');
  try {
    const body = await read(`{"source_image":"${escaped}"}`, { cut: 65_536 });
    assert.deepEqual(await contentsOf(body), { source_image: bytes.toString('hex') });
    const count = writes.mock.callCount();
    assert.ok(count > 0 && count < 10, `${count} writes`);
  } finally {
    writes.mock.restore();
    await probe.close();
  }
});

test('escapes, however many, leave next to no garbage: collecting it would keep the API from all others', async () => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => (collections += list.getEntries().length));
  observer.observe({ entryTypes: ['gc'] });
  try {
    for (const [text, slashes] of [
      ['\\/', 1],
      ['\\u002F', 1],
      ['/\\/', 2],
    ] as const) {
      const body = Buffer.from(`{"source_image":"${text.repeat(4_000_000 / slashes)}"}`);
      collections = 0;
      const got = await read(body, { cut: 65_536 });
      // The last are told of on a later turn.
      await nextTurn();
      assert.ok(collections < 20, `${collections} collections for ${text}`);
      assert.deepEqual(await contentsOf(got), { source_image: 'ff'.repeat(3_000_000) });
      await discardBody(got);
    }
  } finally {
    observer.disconnect();
  }
});

test('numbers and switches are read as JSON has them', async () => {
  for (const [text, value] of [
    ['0', 0],
    ['-0', 0],
    ['12', 12],
    ['1.0', 1],
    ['2e1', 20],
  ] as const) {
    assert.equal((await read(`{"face_index":${text}}`, { cut: 1 })).scalars.get('face_index'), value);
  }
  for (const text of ['-1', '1.5', '01', '1.', '+1', '.5', 'true', 'null', '"1"', '[1]', '1e400']) {
    await assert.rejects(read(`{"face_index":${text}}`), {
      code: 'INVALID_REQUEST',
      message: /face_index must be a whole/,
    });
  }
  const on = await read('{"face_enhance":true}', { declaration: VIDEO_SWAP_BODY });
  assert.equal(on.scalars.get('face_enhance'), true);
  for (const text of ['1', 'null', '"true"', 'True', 'truee']) {
    await assert.rejects(read(`{"face_enhance":${text}}`, { declaration: VIDEO_SWAP_BODY }), {
      message: /face_enhance must be true or false/,
    });
  }
});

test('large base64 in any spelling and any pieces gives its bytes', async () => {
  const bytes = randomBytes(200_001);
  const standard = bytes.toString('base64');
  const spellings = [
    standard,
    standard.replaceAll('/', '\\/'),
    bytes.toString('base64url'),
    standard.replaceAll(/(.{76})/g, '$1\\r\\n'),
    Array.from(standard.slice(0, 40_000), (char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('') +
      standard.slice(40_000),
  ];
  for (const spelling of spellings) {
    for (const cut of [997, 65_536, 1_000_000]) {
      const got = await read(`{"source_image":"${spelling}"}`, { cut });
      assert.deepEqual(await contentsOf(got), { source_image: bytes.toString('hex') });
      await discardBody(got);
    }
  }
});

test('what is not right base64 is refused and named', async () => {
  for (const text of [
    'A',
    'AAAAA',
    'AA=',
    'AAA==',
    'AA===',
    'AA==AA==',
    '=AAA',
    'AA*A',
    'é',
    'AA\\u0000A',
    `${'A'.repeat(50_000)}\\u0141`,
    `${'A'.repeat(50_000)}\\n\\r\\t\\b`,
    'ftp://x/y',
  ]) {
    await assert.rejects(
      read(`{"source_image":"${text}"}`),
      { code: 'INVALID_REQUEST', message: /^source_image / },
      text,
    );
  }
  for (const text of ['', ' ', 'data:image/png;base64,']) {
    await assert.rejects(read(`{"source_image":"${text}"}`), { message: 'source_image is empty.' });
  }
});

test('broken, nested, unknown and double things are refused, and nothing is left', async () => {
  const image = `"source_image":"${randomBytes(30_000).toString('base64')}"`;
  const cases: [string, RegExp][] = [
    [`{${image}`, /not valid JSON/],
    [`{${image},}`, /not valid JSON/],
    [`{${image}}x`, /not valid JSON/],
    [`{${image} "quality":"high"}`, /not valid JSON/],
    [`{"source_image":"${'A'.repeat(50_000)}`, /not valid JSON/],
    [`{"source_image":"${'A'.repeat(50_000)}\n"}`, /not valid JSON/],
    [`{${image},"quality":"\\x"}`, /not valid JSON/],
    [`{${image},"target_image":"\\u12"}`, /not valid JSON/],
    [`{"source_image":"${'A'.repeat(50_000)}\\x"}`, /not valid JSON/],
    [`{"source_image":"${'A'.repeat(50_000)}\\u00g1"}`, /not valid JSON/],
    [`{${image},"quality":"\u0001"}`, /not valid JSON/],
    [`{${image},${image}}`, /source_image was sent twice/],
    [`{${image},"other":[[[[]]]]}`, /Unknown field "other"/],
    [`{${image},"__proto__":{}}`, /Unknown field "__proto__"/],
    [`{${image},"target_image":[]}`, /target_image must be a string/],
    [`{${image},"target_image":{"a":1}}`, /target_image must be a string/],
    [`{${image},"quality":"${'x'.repeat(20_000)}"}`, /quality is longer/],
    [`{${image},"${'k'.repeat(20_000)}":1}`, /field name is longer/],
    [
      `{${image},"target_image":"https://example.com/${'x'.repeat(2100)}"}`,
      /target_image is a URL longer than 2048/,
    ],
    [
      `{${image},"target_image":"https://example.com/${'x'.repeat(20_000)}"}`,
      /target_image is a URL longer than 2048/,
    ],
    [`{${image},"target_image":"http://"}`, /target_image is not a valid URL/],
    ['[', /must be a JSON object/],
    ['', /must be a JSON object/],
  ];
  const before = await readdir(folder);
  for (const [text, message] of cases) {
    await assert.rejects(read(text), { code: 'INVALID_REQUEST', message }, text.slice(-60));
  }
  assert.deepEqual(await readdir(folder), before);
});

const list = (count: number): string => `{"target_images":[${Array(count).fill('"QUJD"').join(',')}]}`;

test('too many images are refused as soon as one too many begins', async () => {
  const options = { declaration: BATCH_SWAP_BODY, maxImages: 3 };
  assert.equal((await read(list(3), options)).lists.get('target_images')!.length, 3);
  await assert.rejects(read(list(4), options), { code: 'BATCH_TOO_LARGE', details: { limit: 3 } });
  await assert.rejects(read('{"target_images":["QUJD",7]}', options), {
    message: 'target_images[1] must be a string.',
  });
});

test('a body over its limit is refused', async () => {
  const declaration = { ...IMAGE_SWAP_BODY, maxBodyBytes: 100 };
  const body = '{"quality":"high"}';
  await read(body.padEnd(100), { declaration });
  await assert.rejects(read(body.padEnd(101), { declaration }), {
    code: 'INVALID_REQUEST',
    details: { limit: 100 },
  });
});

test('only application/json is read', async () => {
  for (const type of [undefined, 'text/plain', 'multipart/form-data', 'application/jsonp']) {
    const request = asRequest([Buffer.from('{}')], { 'content-type': type });
    await assert.rejects(readJson(request, IMAGE_SWAP_BODY, { maxImages: 1 }, storage, room), {
      message: /application\/json/,
    });
  }
  const right = asRequest([Buffer.from('{}')], { 'content-type': 'Application/JSON; charset=utf-8' });
  await readJson(right, IMAGE_SWAP_BODY, { maxImages: 1 }, storage, room);
});

test('an image over 50 MiB is refused on the way, and 69 MB of base64 are read in flat memory', async () => {
  const bytes = V1_LIMITS.imageBytes;
  const quarter = Buffer.alloc(64 * 1024, 'QUJD');
  function* body(decodedBytes: number): Generator<Buffer> {
    yield Buffer.from('{"source_image":"');
    const chars = Math.ceil(decodedBytes / 3) * 4;
    for (let sent = 0; sent < chars; sent += quarter.length)
      yield quarter.subarray(0, Math.min(quarter.length, chars - sent));
    yield Buffer.from('"}');
  }
  const before = process.memoryUsage().arrayBuffers;
  let highest = 0;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().arrayBuffers);
  }, 1);
  const fits = Math.floor(bytes / 3) * 3;
  const got = await readJson(asRequest(body(fits)), IMAGE_SWAP_BODY, { maxImages: 1 }, storage, room);
  clearInterval(watch);
  const medium = got.media.get('source_image')!;
  assert.ok(medium.kind === 'inline' && medium.sizeBytes === fits);
  await discardBody(got);
  assert.ok(highest - before < 24 * 1024 * 1024, `${highest - before} bytes`);
  await assert.rejects(
    readJson(asRequest(body(fits + 3)), IMAGE_SWAP_BODY, { maxImages: 1 }, storage, room),
    {
      code: 'IMAGE_TOO_LARGE',
      details: { limit: bytes },
    },
  );
});

test('a client that goes away is noticed, and nothing is left', async () => {
  const before = await readdir(folder);
  const outcome = Promise.withResolvers<unknown>();
  const server = createServer((request) => {
    readJson(request, IMAGE_SWAP_BODY, { maxImages: 1 }, storage, room).then(outcome.resolve, outcome.reject);
    setImmediate(() => call.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sending = new PassThrough();
  const call = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: HEADERS });
  call.on('error', () => {});
  sending.pipe(call);
  sending.write(`{"source_image":"${'A'.repeat(200_000)}`);
  await assert.rejects(outcome.promise, { name: 'ClientGone' });
  assert.deepEqual(await readdir(folder), before);
  server.close();
});
