import assert from 'node:assert/strict';
import { createSecretKey, randomUUID } from 'node:crypto';
import { after, test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createGuardedClient } from '../net/guarded-client.ts';
import { startLoopbackServer } from '../net/testing/loopback-server.ts';
import { createFileLinks } from '../storage/file-links.ts';
import type { ClaimedTask } from '../tasks/queue/claim-tasks.ts';
import type { StoredInput, WorkSpec } from '../tasks/task.ts';
import { createLogger } from '../telemetry/log.ts';
import { eventually, type Reaction, type Receiver, startReceiver } from '../webhooks/testing/receiver.ts';
import { createModerator, MODERATION_POLICY, type ModeratorDeps } from './moderator.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const key = createSecretKey(Buffer.alloc(32, 9));
const links = createFileLinks({ signing: () => key, accepted: () => [key] }, 'https://guise.example');
const client = createGuardedClient(MODERATION_POLICY);
after(() => client.close());
const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
const untouched = new AbortController().signal;

function stored(field: string): StoredInput {
  const objectKey = `in/ab/${field}.png`;
  const file = { fileName: 'a.png', contentType: 'image/png', sizeBytes: 1, sha256: '', width: 1, height: 1 };
  return { field, objectKey, ...file };
}

function claimed(work: WorkSpec): ClaimedTask {
  return {
    id: randomUUID(),
    accountId: randomUUID(),
    interface: 'v1',
    type: 'IMAGE_SWAP',
    lane: 'short',
    hidden: false,
    parameters: { quality: '4k' },
    work,
    costCredits: 3,
    leaseToken: randomUUID(),
    engineDeaths: 0,
    progress: 0,
    result: null,
    createdAt: new Date(),
    startedAt: new Date(),
    startTag: 0,
  };
}

const photo = (): ClaimedTask =>
  claimed({ kind: 'swap-image', source: stored('source'), target: stored('target'), restore });

async function receiverOf(context: TestContext, reaction: Reaction): Promise<Receiver> {
  const receiver = await startReceiver(() => reaction);
  context.after(() => receiver.close());
  return receiver;
}

function moderatorOf(url: string, changes: Partial<ModeratorDeps> = {}): ReturnType<typeof createModerator> {
  const log = createLogger({ level: 'silent', name: 'test' });
  const rules = { url, secret: SECRET, timeoutMs: 60_000, onTimeout: 'block' } as const;
  return createModerator({ ...rules, client, links, log, ...changes });
}

test('the question is signed, and has links that are valid for a minute', async (context) => {
  const receiver = await receiverOf(context, { status: 200, body: '{"decision":"allow"}' });
  const task = photo();
  const before = Date.now();
  const moderate = moderatorOf(`${receiver.origin}/ask/?of=guise`);
  await moderate(task, untouched);
  await moderate(task, untouched);

  const [first, second] = receiver.requests;
  assert.equal(first!.path, '/ask/?of=guise');
  assert.equal(first!.headers['webhook-id'], `mod_${task.id.replaceAll('-', '')}`);
  assert.equal(second!.headers['webhook-id'], first!.headers['webhook-id']);
  assert.equal(first!.headers.connection, 'close');
  const headers = first!.headers as Record<string, string>;
  const { inputs, ...asked } = new Webhook(SECRET).verify(first!.body, headers) as {
    inputs: { field: string; contentType: string; url: string; expiresAt: string }[];
  };
  const { id: taskId, accountId, parameters } = task;
  assert.deepEqual(asked, { taskId, interface: 'v1', taskType: 'IMAGE_SWAP', accountId, parameters });
  assert.deepEqual(
    inputs.map(({ field, contentType }) => [field, contentType]),
    [
      ['source', 'image/png'],
      ['target', 'image/png'],
    ],
  );
  for (const { field, url, expiresAt } of inputs) {
    const { origin, pathname, searchParams } = new URL(url);
    assert.equal(origin, 'https://guise.example');
    const expires = searchParams.get('expires')!;
    const validMs = Date.parse(expiresAt) - before;
    assert.ok(validMs >= 60_000 && Date.parse(expiresAt) <= Date.now() + 61_000);
    const check = (path: string, at: number) =>
      links.check(path, expires, searchParams.get('signature')!, new Date(at));
    const own = `in/ab/${field}.png`;
    assert.equal(pathname, `/files/${own}`);
    assert.equal(check(own, before), 'good');
    assert.equal(check(own, Date.parse(expiresAt)), 'expired');
    assert.equal(check(`out/ab/${field}.png`, before), 'bad');
  }
});

test('each file of an order is named once, and a target by URL is named as the client gave it', async (context) => {
  const receiver = await receiverOf(context, { status: 200, body: '{"decision":"allow"}' });
  const moderate = moderatorOf(receiver.origin);
  const [source, target, more] = [stored('source'), stored('target'), stored('more')];
  const url = 'https://example.com/a.jpg';
  const box = { name: 'faceBox1', x: 0, y: 0, width: 1, height: 1 };
  const mapping = { index: 1, name: 'face1', source, face: { personIndex: 0 } };
  const orders: [WorkSpec, string[]][] = [
    [
      { kind: 'swap-image', source, additionalSources: [more], target, restore },
      ['source', 'more', 'target'],
    ],
    [{ kind: 'swap-gif', source, target, restore }, ['source', 'target']],
    [
      { kind: 'swap-video', source, additionalSources: [more], target, restore },
      ['source', 'more', 'target'],
    ],
    [{ kind: 'swap-persons', as: 'gif', target, mappings: [mapping], restore }, ['source', 'target']],
    [
      {
        kind: 'swap-group',
        target,
        replacements: [
          { source, box },
          { source: more, box },
        ],
        restore,
      },
      ['source', 'more', 'target'],
    ],
    [
      {
        kind: 'swap-batch',
        items: [
          { source, target },
          { source, target: { field: 'targets[1]', url } },
          { source, target: { field: 'targets[2]', url } },
        ],
        restore,
      },
      ['source', 'target', 'targets[1]', 'targets[2]'],
    ],
  ];
  for (const [work] of orders) await moderate(claimed(work), untouched);
  await moderate(claimed({ kind: 'detect-faces', images: [target] }), untouched);
  await moderate(claimed({ kind: 'look-at-clip', clip: target, maxMs: 1000 }), untouched);

  const asked = receiver.requests.map(
    ({ body }) => JSON.parse(body.toString()).inputs as { field: string }[],
  );
  assert.deepEqual(
    asked.map((inputs) => inputs.map(({ field }) => field)),
    orders.map(([, fields]) => fields),
  );
  const remote = { contentType: null, url, expiresAt: null };
  assert.deepEqual(asked[5]!.slice(2), [
    { field: 'targets[1]', ...remote },
    { field: 'targets[2]', ...remote },
  ]);
});

test('a block refuses the task, with its reason', async (context) => {
  const REFUSED = "The operator's moderation refused this task.";
  for (const [reason, message] of [
    [undefined, REFUSED],
    ['No\nchildren.', `${REFUSED} No children.`],
  ] as const) {
    const body = JSON.stringify({ decision: 'block', reason });
    const receiver = await receiverOf(context, { status: 200, body });
    await assert.rejects(moderatorOf(receiver.origin, { onTimeout: 'allow' })(photo(), untouched), {
      name: 'TaskFailure',
      code: 'MODERATION_REFUSED',
      message,
    });
  }
});

const ALLOW = '{"decision":"allow"}';
/** Answers that are no decision. */
const NO_ANSWERS: Record<string, Reaction> = {
  'a text': { status: 200, body: 'allow' },
  'another decision': { status: 200, body: '{"decision":"maybe"}' },
  'an empty answer': { status: 200 },
  'a 204': 204,
  'a 201': { status: 201, body: ALLOW },
  'a 500': { status: 500, body: ALLOW },
  'a redirect': { status: 307, headers: { location: '/elsewhere' }, body: ALLOW },
  'a huge answer': { status: 200, body: ALLOW + ' '.repeat(64 * 1024) },
};

for (const [what, reaction] of Object.entries(NO_ANSWERS)) {
  test(`${what} is no answer: the operator chooses what happens`, async (context) => {
    const receiver = await receiverOf(context, reaction);
    await moderatorOf(receiver.origin, { onTimeout: 'allow' })(photo(), untouched);
    await assert.rejects(moderatorOf(receiver.origin)(photo(), untouched), {
      code: 'MODERATION_REFUSED',
      message: "The operator's moderation gave no answer, so this task was refused.",
    });
    assert.equal(receiver.requests.length, 2, 'redirects are not followed');
  });
}

test('an answer of 64 KiB is read whole', async (context) => {
  const receiver = await receiverOf(context, { status: 200, body: ALLOW.padStart(64 * 1024) });
  await moderatorOf(receiver.origin)(photo(), untouched);
});

test('the time limit covers a server that hangs, before its answer and within it', async (context) => {
  const receiver = await receiverOf(context, 'hang');
  const within = await startLoopbackServer((request, response) => {
    request.resume();
    response.writeHead(200).write(ALLOW);
  });
  context.after(() => within.close());
  for (const url of [receiver.origin, `http://127.0.0.1:${within.port}`]) {
    await moderatorOf(url, { timeoutMs: 100, onTimeout: 'allow' })(photo(), untouched);
    await assert.rejects(moderatorOf(url, { timeoutMs: 100 })(photo(), untouched), {
      code: 'MODERATION_REFUSED',
    });
  }
});

test('a server that cannot be reached is no answer', async () => {
  const receiver = await startReceiver();
  await receiver.close();
  await moderatorOf(receiver.origin, { onTimeout: 'allow' })(photo(), untouched);
  await assert.rejects(moderatorOf(receiver.origin)(photo(), untouched), { code: 'MODERATION_REFUSED' });
});

test('an abort ends the question at once, with its reason', async (context) => {
  const receiver = await receiverOf(context, 'hang');
  const stopping = new AbortController();
  const asking = moderatorOf(receiver.origin, { onTimeout: 'allow' })(photo(), stopping.signal);
  await receiver.received(1);
  stopping.abort(new Error('cancelled'));
  await assert.rejects(asking, { message: 'cancelled' });
  await eventually(() => receiver.hanging === 0, 'the end of the connection');
});
