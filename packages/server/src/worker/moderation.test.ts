import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { fastify } from 'fastify';
import type { TaskType } from '@guise/contract/task.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import { addFileRoutes } from '../http/files/routes.ts';
import { createModerator, MODERATION_POLICY } from '../moderation/moderator.ts';
import { createGuardedClient } from '../net/guarded-client.ts';
import { createFileLinks } from '../storage/file-links.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import type { Task, WorkSpec } from '../tasks/task.ts';
import { createLogger } from '../telemetry/log.ts';
import { eventually, type Receiver, startReceiver } from '../webhooks/testing/receiver.ts';
import { scriptedEngine, TEST_SECRET } from './testing/scripted-worker.ts';
import {
  COST,
  credits,
  db,
  dir,
  ended,
  newAccount,
  processing,
  read,
  sample,
  startWorker,
  storage,
  storeInput,
  submitOrder,
  until,
} from './testing/worker-rig.ts';

const hasVideo = (await loadNodeAv()) !== null;
const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
const links = createFileLinks(TEST_SECRET, 'https://guise.example');
const client = createGuardedClient(MODERATION_POLICY);
const files = fastify();
addFileRoutes(files, { links, storage });
after(async () => {
  await client.close();
  await files.close();
});

/** What a moderation that allows, and one that blocks, answers. */
const ALLOW = { status: 200, body: '{"decision":"allow"}' };
const BLOCK = { status: 200, body: '{"decision":"block","reason":"No children."}' };

interface Rig {
  readonly moderation: Receiver;
  /** Starts a worker with three engines, one for short work, that asks the moderation. */
  readonly start: () => ReturnType<typeof startWorker>;
}

async function rigOf(context: TestContext, react: Receiver['react']): Promise<Rig> {
  const moderation = await startReceiver(react);
  context.after(() => moderation.close());
  const log = createLogger({ level: 'silent', name: 'test' });
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const rules = { url: moderation.origin, secret, timeoutMs: 600_000, onTimeout: 'block' } as const;
  const moderate = createModerator({ ...rules, client, links, log });
  return {
    moderation,
    start: () =>
      startWorker(
        context,
        [0, 1, 2].map(() => scriptedEngine()),
        {},
        undefined,
        undefined,
        { moderate },
      ),
  };
}

const get = ({ url }: { url: string }) => files.inject(url.replace('https://guise.example', ''));

const idsAsked = ({ requests }: Receiver): string[] =>
  requests.map(({ body }) => (JSON.parse(body.toString()) as { taskId: string }).taskId);

async function cancel({ id: taskId, accountId, type }: Task): Promise<void> {
  const address = { taskId, accountId, interface: 'ai-tasks', type: type as TaskType } as const;
  await cancelTask(db, address, { inputRetentionMs: 0 });
}

/** Submits an order. @param script what a scripted engine is to do with a picture */
async function submit(kind: WorkSpec['kind'] | 'film', script = 'answer-pid'): Promise<Task> {
  const accountId = await newAccount();
  const source = await storeInput(accountId, 'sourceImage', Buffer.from(script));
  const target = () => storeInput(accountId, 'targetImage', sample.body);
  const clip = async (durationSeconds: number, content = sample.body) => ({
    ...(await storeInput(accountId, 'targetVideo', content)),
    contentType: 'video/mp4',
    durationSeconds,
  });
  const order = (type: TaskType, work: WorkSpec): Promise<Task> => submitOrder(accountId, type, work);
  switch (kind) {
    case 'swap-batch': {
      const items = [
        { source, target: await target() },
        { source, target: await target() },
      ];
      return order('BATCH_FACE_SWAP', { kind, items, restore });
    }
    case 'swap-group': {
      const box = { name: 'faceBox1', x: 0, y: 0, width: 9, height: 9 };
      const replacements = [{ source, box }];
      return order('MULTI_FACE_SWAP', { kind, target: await target(), replacements, restore });
    }
    case 'swap-video':
      return order('VIDEO_SWAP', { kind, source, target: await clip(2), restore, size: {} });
    case 'film': {
      const folder = await mkdtemp(path.join(dir, 'film-'));
      const film = await clip(100, Buffer.from(`film ${folder}`));
      return order('VIDEO_SWAP', { kind: 'swap-video', source, target: film, restore, size: {} });
    }
    case 'swap-gif':
      return order('GIF_FACE_SWAP', { kind, source, target: await clip(2), restore });
    case 'swap-persons': {
      const mappings = [{ index: 1, name: 'faceBox1', source, face: { personIndex: 0 } }];
      return order('VIDEO_SWAP', { kind, as: 'video', target: await clip(2), mappings, restore });
    }
    default:
      return order('IMAGE_SWAP', { kind: 'swap-image', source, target: await target(), restore });
  }
}

test('a block ends a task of any kind before any work, for nothing, and it is asked about once', async (context) => {
  const { moderation, start } = await rigOf(context, () => BLOCK);
  start();
  const kinds = ['swap-image', 'swap-batch', 'swap-group', 'swap-video', 'film', 'swap-gif', 'swap-persons'];
  // An engine that did anything with these tasks would never answer.
  const tasks = await Promise.all(kinds.map((kind) => submit(kind as WorkSpec['kind'] | 'film', 'hang')));
  for (const task of await Promise.all(tasks.map(ended))) {
    assert.equal(task.status, 'FAILED');
    assert.deepEqual(task.error, {
      code: 'MODERATION_REFUSED',
      message: "The operator's moderation refused this task. No children.",
    });
    assert.equal(task.costCredits, 0);
    assert.deepEqual(await credits(task), { available: 30, held: 0 });
  }
  assert.deepEqual(idsAsked(moderation).sort(), tasks.map(({ id }) => id).sort());
  assert.deepEqual(await checkLedger(db), []);
});

test('an allowed photo, batch and film are done, and asked about once', async (context) => {
  const { moderation, start } = await rigOf(context, () => ALLOW);
  start();
  const tasks = [await submit('swap-image'), await submit('swap-batch')];
  if (hasVideo) tasks.push(await submit('film'));
  for (const task of await Promise.all(tasks.map(ended))) {
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
    assert.equal((await credits(task)).available, 30 - COST);
  }
  assert.deepEqual(idsAsked(moderation).sort(), tasks.map(({ id }) => id).sort());
});

test('the links give the very bytes of the inputs, and 410 after the task', async (context) => {
  const { moderation, start } = await rigOf(context, () => 'hang');
  const worker = start();
  const task = await submit('swap-image', 'bytes of a source');
  await moderation.received(1);
  const { inputs } = JSON.parse(moderation.requests[0]!.body.toString()) as { inputs: { url: string }[] };
  const [source, target] = await Promise.all(inputs.map(get));
  assert.deepEqual([source!.statusCode, target!.statusCode], [200, 200]);
  assert.equal(source!.body, 'bytes of a source');
  assert.ok(target!.rawPayload.equals(sample.body));

  await cancel(task);
  await eventually(() => moderation.hanging === 0, 'the end of the question');
  assert.equal((await read(task))!.status, 'CANCELLED');
  assert.deepEqual(await credits(task), { available: 30, held: 0 });
  await worker.stop();
  const { work } = (await db.pool.query('select work from tasks where id = $1', [task.id])).rows[0];
  await storage.delete(work.source.objectKey);
  assert.equal((await get(inputs[0]!)).statusCode, 410);
});

test('no part exists before the answer', async (context) => {
  const { moderation, start } = await rigOf(context, () => 'hang');
  start();
  const tasks = [await submit('swap-batch'), await submit('film')];
  await moderation.received(2);
  const ids = tasks.map(({ id }) => id);
  const { rows } = await db.pool.query('select from task_parts where task_id = any($1)', [ids]);
  assert.equal(rows.length, 0);
  await Promise.all(tasks.map(cancel));
});

test('a worker that stops leaves the question, and the next attempt asks again', async (context) => {
  const { moderation, start } = await rigOf(context, (_, index) => (index < 2 ? 'hang' : ALLOW));
  const first = start();
  const tasks = [await submit('swap-image'), await submit('swap-batch')];
  await Promise.all(tasks.map(processing));
  await moderation.received(2);
  await first.stop();
  assert.equal(moderation.hanging, 0);
  for (const task of tasks) await until(task, 'it waits again', ({ status }) => status === 'PENDING');
  start();
  for (const task of tasks) assert.equal((await ended(task)).status, 'COMPLETED');
  assert.deepEqual(idsAsked(moderation).sort(), [...tasks, ...tasks].map(({ id }) => id).sort());
});
