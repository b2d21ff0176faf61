import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { FormDeclaration, TaskField } from '@guise/contract/ai-tasks/form.ts';
import { BATCH_FORM, GROUP_FORM, PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { AppError } from '@guise/contract/errors.ts';
import type { PromisedRoom } from '../storage/disk-room.ts';
import { LocalStorage } from '../storage/local-storage.ts';
import { readForm, type ReadForm } from './read-form.ts';

/** The form with files of at most 1000 bytes. */
function withSmallFiles(form: FormDeclaration): FormDeclaration {
  const fields = form.fields.map((field): TaskField =>
    field.kind === 'file' ? { ...field, maxBytes: 1000 } : field,
  );
  return { ...form, fields };
}

const PHOTO = withSmallFiles(PHOTO_FORM);
const BATCH = { ...withSmallFiles(BATCH_FORM), maxFilesBytes: 3000 };
const GROUP = { ...withSmallFiles(GROUP_FORM), maxRequestBytes: 2000 };
const BOUNDARY = 'xyz';

let root: string;
/** Declaration of the form that the next requests send. */
let declaration: FormDeclaration;
let server: Server;
let storage: LocalStorage;
let room: PromisedRoom;
/** What became of the request last served. */
let outcome: PromiseWithResolvers<ReadForm>;

before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'guise-form-'));
  storage = await LocalStorage.open(root);
  room = await storage.scratch.promiseRoom('ann', 0);
  server = createServer((request, response) => {
    readForm(request, declaration, storage.scratch, room)
      .then(outcome.resolve, outcome.reject)
      .finally(() => {
        request.resume();
        response.end();
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  declaration = PHOTO;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true, force: true });
});

function part(disposition: string, content: string | Buffer, headers = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${headers}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

function file(name: string, content: string | Buffer, fileName = 'a.png'): Buffer {
  return part(`form-data; name="${name}"; filename="${fileName}"`, content, 'Content-Type: image/png\r\n');
}

function many(name: string, count: number): Buffer[] {
  return Array.from({ length: count }, () => file(name, 'x'));
}

function text(name: string, value: string): Buffer {
  return part(`form-data; name="${name}"`, value);
}

const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Sends raw bytes, in pieces of `step`, and gives what the reader made of them. */
async function send(
  body: Buffer,
  { contentType = `multipart/form-data; boundary=${BOUNDARY}`, step = body.length, hangUp = false } = {},
): Promise<ReadForm> {
  outcome = Promise.withResolvers();
  outcome.promise.catch(() => {});
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.setNoDelay(true);
  const length = hangUp ? body.length + 1000 : body.length;
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  for (let at = 0; at < body.length; at += step) {
    const piece = body.subarray(at, at + step);
    if (!socket.write(piece)) await drainedOrClosed(socket);
    // Each piece a packet of its own, or nearly.
    if (step < body.length) await new Promise((resolve) => setImmediate(resolve));
  }
  if (hangUp) {
    await scratchHolds(1);
    socket.destroy();
  }
  try {
    return await outcome.promise;
  } finally {
    socket.destroy();
  }
}

/** The server may refuse and hang up before it has read everything. */
async function drainedOrClosed(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const done = Promise.withResolvers<void>();
  socket.once('drain', done.resolve).once('close', () => done.resolve());
  await done.promise;
}

async function refused(
  body: Buffer,
  message: RegExp,
  options?: Parameters<typeof send>[1],
): Promise<AppError> {
  const error = await send(body, options).then(
    () => assert.fail('the form was accepted'),
    (thrown: unknown) => thrown as AppError,
  );
  assert.match(error.message, message);
  assert.equal(error.name, 'AppError');
  assert.deepEqual(await storage.scratch.files(), [], 'a refused form leaves no file');
  return error;
}

async function scratchHolds(files: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await storage.scratch.files()).length !== files) {
    assert.ok(performance.now() < deadline, 'the upload never reached the scratch');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function accepted(form: ReadForm, name: string): Promise<Buffer> {
  const uploaded = form.files.get(name)!;
  const bytes = await readFile(uploaded.path);
  assert.equal(uploaded.sizeBytes, bytes.length);
  assert.equal(uploaded.sha256, createHash('sha256').update(bytes).digest('hex'));
  await rm(uploaded.path);
  return bytes;
}

test('a form is read the same however its bytes are cut', async () => {
  const tricky = Buffer.from(`\r\n--xy\r\n-${BOUNDARY}\r\n\r\n--\0\xff`, 'latin1');
  const body = Buffer.concat([
    text('restoreVisibility', '0.5'),
    file('sourceImage', tricky, 'Ünï.png'),
    file('targetImage', ''),
    END,
  ]);
  for (const step of [1, 2, 3, 7, 64, body.length]) {
    const form = await send(body, { step });
    assert.equal(form.texts.get('restoreVisibility'), '0.5');
    assert.deepEqual(await accepted(form, 'sourceImage'), tricky);
    assert.equal(form.files.get('sourceImage')!.fileName, 'Ünï.png');
    assert.equal((await accepted(form, 'targetImage')).length, 0);
  }
});

test('a file at the limit is taken, one byte more is refused with the limit', async () => {
  const form = await send(Buffer.concat([file('sourceImage', Buffer.alloc(1000)), END]));
  assert.equal((await accepted(form, 'sourceImage')).length, 1000);
  const error = await refused(
    Buffer.concat([file('sourceImage', Buffer.alloc(1001)), END]),
    /^sourceImage is larger than 1000 bytes\.$/,
  );
  assert.deepEqual(error.details, { limit: 1000 });
});

test('what is not multipart/form-data is refused', async () => {
  for (const contentType of [
    'application/json',
    'multipart/mixed; boundary=xyz',
    'multipart/form-datax; boundary=xyz',
    'x',
  ]) {
    await refused(END, /must have the Content-Type multipart\/form-data/, { contentType });
  }
});

test('a body without a boundary is refused', async () => {
  await refused(END, /has no boundary/, { contentType: 'multipart/form-data' });
});

test('an unknown field is named, prototype names included', async () => {
  for (const name of [
    'extra',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'SOURCEIMAGE',
    'sourceImage[]',
  ]) {
    await refused(
      Buffer.concat([text(name, '1'), END]),
      new RegExp(`^Unknown field "${RegExp.escape(name)}"`),
    );
    await refused(Buffer.concat([file(name, '1'), END]), /^Unknown field/);
  }
});

test('a field sent twice is refused, file or text', async () => {
  await refused(
    Buffer.concat([file('sourceImage', 'a'), file('sourceImage', 'b'), END]),
    /^sourceImage was sent twice/,
  );
  await refused(
    Buffer.concat([text('restoreVisibility', '1'), text('restoreVisibility', '1'), END]),
    /^restoreVisibility was sent twice/,
  );
});

test('a file where a text belongs, and the reverse, are refused', async () => {
  await refused(Buffer.concat([file('restoreVisibility', '1'), END]), /^restoreVisibility must be text/);
  await refused(Buffer.concat([text('sourceImage', 'abc'), END]), /^sourceImage must be a file/);
});

test('a part without a name is refused', async () => {
  await refused(Buffer.concat([part('form-data', 'x'), END]), /has no name/);
  await refused(Buffer.concat([part('form-data; name=""', 'x'), END]), /has no name/);
});

test('thousands of parts end the reading', async () => {
  const many = Array.from({ length: 3000 }, () => Buffer.from(`--${BOUNDARY}\r\nX: y\r\n\r\n1\r\n`));
  await refused(Buffer.concat([...many, END]), /more than \d+ parts/);
});

test('a body that is cut is refused, wherever the cut is', async () => {
  const whole = Buffer.concat([
    text('restoreVisibility', '1'),
    file('sourceImage', Buffer.alloc(300, 7)),
    END,
  ]);
  for (let length = 0; length < whole.length - 2; length += 13) {
    // Missing the final "--" at least.
    await refused(whole.subarray(0, Math.min(length, whole.length - 5)), /malformed or ends too early/);
  }
});

test('a text longer than any number is refused', async () => {
  await refused(
    Buffer.concat([text('restoreVisibility', '1'.repeat(1025)), END]),
    /^restoreVisibility is longer/,
  );
});

test('huge part headers, odd charsets and encodings are survived', async () => {
  for (const headers of [
    `X-Big: ${'x'.repeat(200_000)}\r\n`,
    'Content-Type: text/plain; charset=no-such\r\n',
    'Content-Type: text/plain; charset=utf-16le\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    `${'A: b\r\n'.repeat(5000)}`,
  ]) {
    await send(Buffer.concat([part('form-data; name="restoreVisibility"', '1', headers), END])).catch(
      (error: unknown) => assert.ok(error instanceof AppError, String(error)),
    );
  }
});

test('an endless epilogue is cut off', async () => {
  await refused(Buffer.concat([END, Buffer.alloc(1_200_000)]), /request is larger|malformed/).catch(
    (error: unknown) => {
      // The form before it was right and may have been taken already.
      assert.match(String(error), /was accepted/);
    },
  );
});

test('a client that hangs up in a file leaves nothing behind', async () => {
  const body = file('sourceImage', Buffer.alloc(500));
  await assert.rejects(send(body.subarray(0, body.length - 100), { hangUp: true }), { name: 'ClientGone' });
  assert.deepEqual(await storage.scratch.files(), []);
});

test('a repeated file field keeps the order of its files, each with a name of its own', async () => {
  declaration = BATCH;
  const contents = Array.from({ length: 19 }, (_, number) => `picture ${number}`);
  const body = Buffer.concat([
    ...contents.map((content) => file('targetImages', content)),
    text('mode', 'singleToMulti'),
    file('sourceImages', 'source'),
    END,
  ]);
  const form = await send(body, { step: 500 });
  assert.equal(form.texts.get('mode'), 'singleToMulti');
  assert.equal(form.files.size, 20);
  for (const [number, content] of contents.entries()) {
    assert.equal(form.files.get(`targetImages[${number}]`)?.name, `targetImages[${number}]`);
    assert.equal((await accepted(form, `targetImages[${number}]`)).toString(), content);
  }
  assert.equal((await accepted(form, 'sourceImages[0]')).toString(), 'source');
});

test('one file too many of a field, or of all, is refused with the limit', async () => {
  declaration = BATCH;
  assert.deepEqual(
    (await refused(Buffer.concat([...many('sourceImages', 20), END]), /^sourceImages has more than 19 files/))
      .details,
    { limit: 19 },
  );
  const body = Buffer.concat([...many('sourceImages', 2), ...many('targetImages', 19), END]);
  assert.deepEqual((await refused(body, /^The form has more than 20 files/)).details, { limit: 20 });
});

test('all files together at the limit are taken, one byte more is refused with the limit', async () => {
  declaration = BATCH;
  const three = [1, 2, 3].map(() => file('targetImages', Buffer.alloc(1000)));
  const form = await send(Buffer.concat([...three, END]));
  for (let number = 0; number < 3; number++) await accepted(form, `targetImages[${number}]`);
  const error = await refused(
    Buffer.concat([...three, file('sourceImages', 'x'), END]),
    /^All files together are larger than 3000 bytes/,
  );
  assert.deepEqual(error.details, { limit: 3000 });
});

test('a whole request at the limit is taken, one byte more is refused with the limit', async () => {
  declaration = GROUP;
  const around = Buffer.concat([file('sourceImage', Buffer.alloc(900)), file('targetFace0', ''), END]).length;
  const body = (sizeBytes: number): Buffer =>
    Buffer.concat([
      file('sourceImage', Buffer.alloc(900)),
      file('targetFace0', Buffer.alloc(sizeBytes - around)),
      END,
    ]);
  assert.equal(body(2000).length, 2000);
  const form = await send(body(2000));
  await accepted(form, 'sourceImage');
  await accepted(form, 'targetFace0');
  const error = await refused(body(2001), /^The request is larger than 2000 bytes/);
  assert.deepEqual(error.details, { limit: 2000 });
});

test('a client that is gone before the reading starts is noticed', async () => {
  const request = new IncomingMessage(new Socket());
  request.headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`;
  request.destroy();
  await once(request, 'close');
  await assert.rejects(readForm(request, PHOTO, storage.scratch, room), { name: 'ClientGone' });
});
