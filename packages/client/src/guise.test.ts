import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Task } from './api-types.ts';
import { toFormData } from './form-data.ts';
import { Guise, GuiseError, type HttpOptions, TaskEndedError, verifyWebhook } from './index.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');
const PHOTO = { targetImage: new Blob(['target']), sourceImage: new Blob(['source']) };
const TASK: Task = {
  id: 'a task',
  taskType: 'IMAGE_SWAP',
  status: 'PENDING',
  costCredits: 0,
  parameters: {},
  result: null,
  createdAt: '2026-08-14T00:00:00.000Z',
  startedAt: null,
  completedAt: null,
};

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** A server that answers as `answer` says, and a client of it. */
async function serve(
  context: TestContext,
  answer: (request: Received, response: ServerResponse, count: number) => void,
  options: HttpOptions = {},
): Promise<{ guise: Guise; requests: Received[]; url: string }> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const received = { method: request.method!, url: request.url!, headers: request.headers };
      requests.push(received);
      answer(received, response, requests.length);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { guise: new Guise({ url, key: 'a key', ...options }), requests, url };
}

function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function refuse(_: Received, response: ServerResponse): void {
  answerJson(response, 429, { error: 'Too many.', resetSeconds: 3600 });
}

function eventOf(task: Task): string {
  return `: still here\n\nid: 7\nevent: task\ndata: ${JSON.stringify(task)}\n\n`;
}

test('every operation of the interface has its method', async (context) => {
  const { paths } = JSON.parse(await readFile(path.join(DOCS, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { readonly parameters?: { name: string; in: string }[] }>>;
  };
  const { guise, requests } = await serve(context, (_, response) => answerJson(response, 200, TASK));
  const file = new Blob(['x']);
  for (const workflow of [guise.photos, guise.batches, guise.groups, guise.films, guise.gifs]) {
    await workflow.swap(new FormData());
    await workflow.quote(new FormData());
    await workflow.get('t');
    await workflow.cancel('t');
    await workflow.deleteFiles('t');
  }
  await guise.list({ limit: 5, cursor: 'c', status: 'FAILED', taskType: 'IMAGE_SWAP' });
  await guise.events({ taskId: 't', lastEventId: '1' });
  await guise.detectFaces(file, { preview: true });
  await guise.detectPersons(file);
  await guise.verify(file);
  await guise.verifyPublicly(file);
  await guise.engines();
  await guise.faces.save({ photos: [file], name: 'Ada', consent: 'She agreed.' });
  await guise.faces.list();
  await guise.faces.get('{id}');
  await guise.faces.delete('{id}');
  await guise.faces.withdraw('{id}');
  const asked = (method: string, url: string) =>
    requests.filter((each) => each.method === method && decodeURIComponent(each.url.split('?')[0]!) === url);
  for (const [url, methods] of Object.entries(paths)) {
    if (url.endsWith('/openapi.json')) continue;
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      const sent = asked(method.toUpperCase(), url);
      assert.ok(sent.length > 0, `no method sends ${method} ${url}`);
      // `dryRun` of forms without a price tells nothing.
      const query = parameters.filter((each) => each.in === 'query' && each.name !== 'dryRun');
      for (const { name } of query)
        assert.ok(
          sent.some((each) => each.url.includes(`${name}=`)),
          `${method} ${url} lacks ${name}`,
        );
    }
  }
  const creating = requests.filter((each) => each.headers['idempotency-key'] !== undefined);
  assert.equal(new Set(creating.map((each) => each.headers['idempotency-key'])).size, 6);
  assert.ok(requests.every(({ headers }) => headers.authorization === 'Bearer a key'));
});

test('a form is written as the service reads it', async () => {
  const form = toFormData({
    targetVideo: new Blob(['film']),
    startSeconds: 1.5,
    label: true,
    engine: undefined,
    sourceImages: [new Blob(['1']), new Blob(['2'])],
    faces: [
      { targetFace: new Blob(['face']), faceBox: { personIndex: 1 } },
      { sourceFaceId: 'f', faceBox: { personIndex: 0 } },
    ],
  });
  const fields = await Promise.all(
    Array.from(form.entries(), async ([name, value]) => [
      name,
      typeof value === 'string' ? value : await value.text(),
    ]),
  );
  assert.deepEqual(fields, [
    ['targetVideo', 'film'],
    ['startSeconds', '1.5'],
    ['label', 'true'],
    ['sourceImages', '1'],
    ['sourceImages', '2'],
    ['targetFace0', 'face'],
    ['faceBox0', '{"personIndex":1}'],
    ['sourceFaceId1', 'f'],
    ['faceBox1', '{"personIndex":0}'],
  ]);
});

test('a failure that passes is met again with the same key; another one is thrown', async (context) => {
  const { guise, requests } = await serve(context, (_, response, count) => {
    if (count === 1) return answerJson(response, 503, {}, { 'retry-after': '0' });
    if (count === 2) return void response.destroy();
    if (count === 3) return answerJson(response, 429, { error: 'Too many.', resetSeconds: 0 });
    if (count === 4) return answerJson(response, 200, { taskId: 't' });
    const body = { error: 'targetImage is missing.', code: 'INVALID_REQUEST', field: 'targetImage' };
    return answerJson(response, 400, body, { 'x-request-id': 'r' });
  });
  const waits: (Date | null)[] = [];
  assert.deepEqual(await guise.photos.swap(PHOTO, { onWait: (until) => waits.push(until) }), { taskId: 't' });
  assert.equal(requests.length, 4);
  assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
  assert.deepEqual(
    waits.map((until) => until !== null),
    [true, false, true, false, true, false],
  );
  await assert.rejects(guise.photos.swap(PHOTO), (error: GuiseError) => {
    assert.deepEqual(
      [error.status, error.code, error.field, error.requestId, error.message],
      [400, 'INVALID_REQUEST', 'targetImage', 'r', 'targetImage is missing.'],
    );
    return true;
  });
  assert.equal(requests.length, 5);
});

test('patience ends, a signal ends at once, and a caller chooses what is met again', async (context) => {
  const { guise, requests } = await serve(context, refuse);
  await assert.rejects(guise.engines(), { status: 429, message: 'Too many.' });
  assert.equal(requests.length, 1);
  const patient = await serve(context, refuse, { patienceMs: 1e9 });
  const stop = new AbortController();
  const waiting = patient.guise.engines({
    signal: stop.signal,
    onWait: () => stop.abort(new Error('enough')),
  });
  await assert.rejects(waiting, /enough/);
  const gone = new Guise({ url: 'http://127.0.0.1:1', retryOn: [] });
  await assert.rejects(
    gone.engines(),
    (error: GuiseError) => error.status === 0 && error.cause !== undefined,
  );
});

test('a refused token is asked for again, once', async (context) => {
  const { guise, requests } = await serve(
    context,
    ({ headers }, response) => answerJson(response, headers.authorization === 'Bearer new' ? 200 : 401, {}),
    { key: async (wasRefused) => (wasRefused ? 'new' : 'old') },
  );
  await guise.engines();
  assert.equal(requests.length, 2);
  const never = await serve(context, (_, response) => answerJson(response, 401, {}), {
    key: async () => 'x',
  });
  await assert.rejects(never.guise.engines(), { status: 401 });
  assert.equal(never.requests.length, 2);
});

test('wait follows events, over a broken stream and without any', async (context) => {
  const states: Task[] = [
    TASK,
    { ...TASK, status: 'PROCESSING', result: { progress: 0.5, outputs: [] } },
    { ...TASK, status: 'COMPLETED', result: { outputs: [], failures: [], receipt: null! } },
  ];
  for (const kind of ['streams', 'breaks', 'refuses']) {
    let reads = 0;
    const { guise, requests } = await serve(context, ({ url }, response) => {
      if (!url.includes('/events'))
        return answerJson(response, 200, states[Math.min(reads++, kind === 'streams' ? 0 : 2)]);
      if (kind === 'refuses') return answerJson(response, 429, {});
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const text = states
        .slice(0, kind === 'breaks' ? 2 : 3)
        .map(eventOf)
        .join('');
      // An event may come in pieces.
      response.write(text.slice(0, 100));
      return void setTimeout(() => {
        response.write(text.slice(100));
        if (kind === 'breaks') response.destroy();
      }, 20);
    });
    const seen: string[] = [];
    const task = await guise.photos.wait('a task', { onChange: ({ status }) => seen.push(status) });
    assert.equal(task.status, 'COMPLETED');
    assert.deepEqual(seen, ['PENDING', 'PROCESSING', 'COMPLETED'], kind);
    assert.ok(requests.some(({ url }) => url.includes('events?taskId=a%20task')));
  }
});

test('wait throws what ended the task, and its signal', async (context) => {
  const failed: Task = {
    ...TASK,
    status: 'FAILED',
    result: { error: { code: 'NO_FACE_DETECTED', message: 'No face.' } },
  };
  const answers: Task[] = [failed, { ...TASK, status: 'CANCELLED' }];
  const { guise } = await serve(context, ({ url }, response) =>
    url.includes('/events')
      ? answerJson(response, 503, {})
      : answerJson(response, 200, answers.shift() ?? TASK),
  );
  await assert.rejects(guise.films.wait('t'), (error: TaskEndedError) => {
    assert.deepEqual(
      [error.code, error.message, error.task.status],
      ['NO_FACE_DETECTED', 'No face.', 'FAILED'],
    );
    return true;
  });
  await assert.rejects(guise.films.wait('t'), { code: 'CANCELLED' });
  await assert.rejects(guise.films.wait('t', { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
});

test('a download sends no key, and a deleted result says so', async (context) => {
  const { guise, requests, url } = await serve(context, ({ url }, response) =>
    url === '/gone'
      ? answerJson(response, 410, { error: 'The link has expired.' })
      : void response.end('picture'),
  );
  const output = { index: 0, contentType: 'image/png', width: 1, height: 1, bytes: 7, sha256: '' };
  assert.equal(await (await guise.download({ ...output, url: `${url}made` })).text(), 'picture');
  assert.equal(requests[0]!.headers.authorization, undefined);
  await assert.rejects(guise.download({ ...output, url: `${url}gone` }), { status: 410 });
  await assert.rejects(guise.download(output), { status: 410 });
});

test('a webhook is genuine only with its signature, its body and its time', async () => {
  const [secret, id] = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`, 'evt_1'];
  const body = '{"event":"video_swap.failed","job_id":"job_1"}';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = (time: string): string =>
    createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.${time}.${body}`).digest('base64');
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1a,x v1,!! v1,${sign(timestamp)}`,
  };
  const event = { event: 'video_swap.failed', job_id: 'job_1' };
  assert.deepEqual(await verifyWebhook(secret, headers, body), event);
  assert.deepEqual(await verifyWebhook(secret, new Headers(headers), Buffer.from(body)), event);
  const old = String(Number(timestamp) - 400);
  for (const [changed, text] of [
    [headers, `${body} `],
    [{ ...headers, 'webhook-id': 'evt_2' }, body],
    [{ ...headers, 'webhook-timestamp': old, 'webhook-signature': `v1,${sign(old)}` }, body],
    [{ ...headers, 'webhook-timestamp': '' }, body],
    [{}, body],
  ] as const)
    await assert.rejects(verifyWebhook(secret, changed, text), /webhook/);
});
