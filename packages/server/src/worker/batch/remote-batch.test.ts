import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { checkLedger } from '../../credits/check-ledger.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { StillOutput } from '@guise/contract/work.ts';
import type { Task } from '../../tasks/task.ts';
import { newAccount as createTestAccount } from '../../tasks/testing/task-fixtures.ts';
import {
  COST,
  credits,
  db,
  ended,
  read,
  realEngine,
  sample,
  startWorker,
  storage,
  storeInput,
  until,
} from '../testing/worker-rig.ts';
import { scriptedEngine } from '../testing/scripted-worker.ts';

/** Another person's web server: `/picture/<anything>`, and what such servers do wrong. */
const requests: string[] = [];
let atOnce = 0;
let mostAtOnce = 0;
const grey = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
  .png()
  .toBuffer();
const huge = await sharp({ create: { width: 12_000, height: 9000, channels: 3, background: '#888' } })
  .png()
  .toBuffer();

function answer(url: string, response: ServerResponse): void {
  const [, word] = url.split('/');
  switch (word) {
    case 'picture':
      // Not at once, so that fetches overlap.
      setTimeout(() => response.end(sample.body), 5);
      return;
    case 'no-face':
      return void response.end(grey);
    case 'too-many-pixels':
      return void response.end(huge);
    case 'page':
      return void response.end('<html>Please log in.</html>');
    case 'nothing':
      return void response.end();
    case 'too-large':
      response.writeHead(200, { 'content-length': 50 * 1024 * 1024 + 1 });
      return void response.write('x');
    case 'hang':
      return void response.write(sample.body.subarray(0, 1000));
    default:
      response.writeHead(404).end('no such picture');
  }
}

const server = createServer((request, response) => {
  requests.push(request.url!);
  atOnce += 1;
  mostAtOnce = Math.max(mostAtOnce, atOnce);
  response.once('close', () => (atOnce -= 1));
  answer(request.url!, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => server.close().closeAllConnections());

async function submit(source: Buffer | string, urls: readonly string[], output?: StillOutput): Promise<Task> {
  const accountId = await createTestAccount(db, 1000);
  const stored = await storeInput(accountId, 'source_image', Buffer.from(source));
  const { task } = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'BATCH_FACE_SWAP',
    lane: 'long',
    parameters: {},
    work: {
      kind: 'swap-batch',
      items: urls.map((url, n) => ({ source: stored, target: { field: `target_images[${n}]`, url } })),
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
      ...(output === undefined ? {} : { output }),
    },
    costCredits: COST * urls.length,
  });
  assert.ok(task !== null);
  return task;
}

const scratch = (): Promise<readonly string[]> => storage.scratch.files();

async function untilScratchIsEmpty(): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(10)) {
    if ((await scratch()).length === 0) return;
  }
  assert.deepEqual(await scratch(), []);
}

test('a picture that cannot be had or used is that item’s failure; the others come out as ordered', async (context) => {
  startWorker(context, [await realEngine(), await realEngine()]);
  const words = ['picture', 'missing', 'page', 'too-large', 'too-many-pixels', 'no-face', 'nothing'];
  const urls = [...words.map((word) => `${origin}/${word}/0`), 'http://no-such-host.invalid/a.png'];
  const task = await ended(await submit(sample.face, urls, { format: 'webp', maxLongSide: 800 }));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  const { outputs, failures } = task.result!;
  assert.equal(outputs.length, 1);
  const [{ index, contentType, width, height }] = outputs as [(typeof outputs)[0]];
  assert.deepEqual([index, contentType, width, height], [0, 'image/webp', 800, 800]);
  assert.deepEqual(
    failures.map((failure) => [failure.index, failure.code]),
    [
      [1, 'MEDIA_UNREACHABLE'],
      [2, 'INVALID_FORMAT'],
      [3, 'IMAGE_TOO_LARGE'],
      [4, 'IMAGE_TOO_LARGE'],
      [5, 'NO_FACE_DETECTED'],
      [6, 'INVALID_FORMAT'],
      [7, 'MEDIA_UNREACHABLE'],
    ],
  );
  assert.equal(
    failures[0]?.message,
    'target_images[1] could not be fetched: the server answered with status 404.',
  );
  assert.equal(failures[1]?.message, 'target_images[2] is not an image of an accepted type.');
  assert.equal(failures[2]?.message, 'target_images[3] is larger than 52428800 bytes.');
  assert.equal(task.costCredits, COST);
  assert.deepEqual(await credits(task), { available: 1000 - COST, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
  await untilScratchIsEmpty();
});

test('a hundred pictures are fetched a few at a time and swapped on all engines but the one kept', async (context) => {
  const engines = [scriptedEngine(), scriptedEngine(), scriptedEngine()];
  // One that starts late would find everything done.
  await Promise.all(engines.map((engine) => engine.whenReady()));
  startWorker(context, engines);
  [requests.length, mostAtOnce] = [0, 0];
  const urls = Array.from({ length: 100 }, (_, n) => `${origin}/picture/${n}`);
  const task = await ended(await submit('answer-pid', urls));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  assert.deepEqual(
    task.result!.outputs.map(({ index }) => index),
    Array.from(urls.keys()),
  );
  assert.deepEqual(requests.toSorted(), urls.map((url) => url.slice(origin.length)).toSorted());
  assert.ok(mostAtOnce > 1 && mostAtOnce <= 6, `${mostAtOnce} at once`);
  const pids = new Set(task.result!.outputs.map(({ width }) => width));
  assert.deepEqual(
    [...pids].sort(),
    engines
      .slice(1)
      .map(({ pid }) => pid)
      .sort(),
  );
  await untilScratchIsEmpty();
});

test('where no picture can be had the batch fails with the first code, and costs nothing', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const task = await ended(await submit('answer-pid', [`${origin}/page/1`, `${origin}/missing/1`]));
  assert.deepEqual([task.status, task.error?.code], ['FAILED', 'INVALID_FORMAT']);
  assert.equal(task.result?.failures.length, 2);
  assert.deepEqual(await credits(task), { available: 1000, held: 0 });
});

test('a server that never ends holds up no other item, and a cancelled batch lets go of it at once', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const urls = ['hang/0', 'picture/0', 'hang/1', 'picture/1'].map((each) => `${origin}/${each}`);
  const task = await submit('answer-pid', urls);
  await until(task, 'what can be had is delivered', ({ result }) => result?.outputs.length === 2);
  assert.equal((await read(task))?.status, 'PROCESSING');
  const { accountId, id: taskId } = task;
  const address = { accountId, taskId, interface: 'ai-tasks', type: 'BATCH_FACE_SWAP' } as const;
  assert.equal((await cancelTask(db, address, { inputRetentionMs: 0 }))?.costCredits, 2 * COST);
  await untilScratchIsEmpty();
  for (const deadline = performance.now() + 60_000; ; await delay(10)) {
    if (atOnce === 0) break;
    assert.ok(performance.now() < deadline, 'the connections stay open');
  }
  // The slot is free again.
  assert.equal((await ended(await submit('answer-pid', [`${origin}/picture/2`]))).status, 'COMPLETED');
});

test('servers that keep a batch waiting for too long in all fail what they have not sent', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()], { serverPatienceMs: 3000 });
  const words = ['picture', ...Array.from({ length: 8 }, () => 'hang')];
  const task = await ended(
    await submit(
      'answer-pid',
      words.map((word, n) => `${origin}/${word}/${n}`),
    ),
  );
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  const { outputs, failures } = task.result!;
  assert.deepEqual([outputs.length, failures.length, task.costCredits], [1, 8, COST]);
  assert.deepEqual(failures[7], {
    index: 8,
    code: 'MEDIA_UNREACHABLE',
    message: 'target_images[8] could not be fetched: the servers of this batch take too long together.',
  });
  await untilScratchIsEmpty();
});

test('a batch taken over fetches only what is not done yet', async (context) => {
  const first = startWorker(context, [scriptedEngine(), scriptedEngine()]);
  requests.length = 0;
  const task = await submit('answer-pid', [`${origin}/picture/first`, `${origin}/hang/second`]);
  await until(task, 'an output is shown', ({ result }) => result?.outputs.length === 1);
  await first.stop();
  assert.deepEqual(await scratch(), []);
  assert.equal((await read(task))?.status, 'PENDING');
  const second = startWorker(context, [scriptedEngine(), scriptedEngine()]);
  for (const deadline = performance.now() + 60_000; requests.length < 3; await delay(10)) {
    assert.ok(performance.now() < deadline, 'it was not taken over');
  }
  await second.stop();
  assert.deepEqual(requests.toSorted(), ['/hang/second', '/hang/second', '/picture/first']);
  // It would be the first that the next worker takes.
  const address = {
    accountId: task.accountId,
    taskId: task.id,
    interface: 'ai-tasks',
    type: 'BATCH_FACE_SWAP',
  } as const;
  await cancelTask(db, address, { inputRetentionMs: 0 });
});

test('an engine that dies on an item finds its picture again', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  requests.length = 0;
  const task = await ended(await submit('crash', [`${origin}/picture/crash`]));
  assert.deepEqual([task.status, task.error?.code], ['FAILED', 'WORKER_LOST']);
  assert.equal(requests.length, 1);
  await untilScratchIsEmpty();
});
