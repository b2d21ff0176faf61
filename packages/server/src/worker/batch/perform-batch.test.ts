import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkLedger } from '../../credits/check-ledger.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { StoredInput, SwapBatchOrder, Task } from '../../tasks/task.ts';
import {
  COST,
  credits,
  db,
  dir,
  ended,
  newAccount,
  read,
  realEngine,
  sample,
  startWorker,
  storage,
  storeInput,
  until,
} from '../testing/worker-rig.ts';
import { scriptedEngine } from '../testing/scripted-worker.ts';

const CREDITS = 30;

/** Many to one: each source is a picture, or what a scripted engine is to do. */
async function submitBatch(...sources: (Buffer | string)[]): Promise<Task & { sources: StoredInput[] }> {
  const accountId = await newAccount();
  const target = await storeInput(accountId, 'targetImages[0]', sample.body);
  const stored = await Promise.all(
    sources.map((source, n) => storeInput(accountId, `sourceImages[${n}]`, Buffer.from(source))),
  );
  const items = stored.map((source) => ({ source, target }));
  return { ...(await submit(accountId, items)), sources: stored };
}

/** One to many: the source says what a scripted engine is to do with each. */
async function submitToMany(script: string, count: number): Promise<Task> {
  const accountId = await newAccount();
  const source = await storeInput(accountId, 'sourceImages[0]', Buffer.from(script));
  const targets = Array.from({ length: count }, (_, n) =>
    storeInput(accountId, `targetImages[${n}]`, sample.body),
  );
  return submit(
    accountId,
    (await Promise.all(targets)).map((target) => ({ source, target })),
  );
}

async function submit(accountId: string, items: SwapBatchOrder['items']): Promise<Task> {
  const { task } = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'BATCH_FACE_SWAP',
    lane: 'long',
    parameters: {},
    work: {
      kind: 'swap-batch',
      items,
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    },
    costCredits: COST * items.length,
  });
  assert.ok(task !== null);
  return task;
}

function cancel({ accountId, id: taskId }: Task): Promise<Task | null> {
  const address = { accountId, taskId, interface: 'ai-tasks', type: 'BATCH_FACE_SWAP' } as const;
  return cancelTask(db, address, { inputRetentionMs: 0 });
}

const indexes = (list: readonly { index: number }[] = []): number[] => list.map(({ index }) => index);
const delivered =
  (count: number) =>
  ({ result }: Task): boolean =>
    result?.outputs.length === count;

test('a batch is swapped by the real engine, item by item, and charged by the output', async (context) => {
  startWorker(context, [await realEngine(), await realEngine()]);
  const task = await ended(await submitBatch(sample.face, 'no picture at all', sample.body));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  const { outputs, failures, receipt } = task.result!;
  assert.deepEqual(indexes(outputs), [0, 2]);
  assert.deepEqual(indexes(failures), [1]);
  assert.equal(failures[0]?.code, 'DECODE_FAILED');
  assert.notEqual(outputs[0]?.sha256, outputs[1]?.sha256);
  for (const output of outputs) {
    assert.equal(output.contentType, 'image/jpeg');
    assert.equal(await storage.sizeBytes(output.objectKey), output.sizeBytes);
  }
  assert.deepEqual(receipt?.frames, { total: 3, swapped: 2, passedThrough: 0 });
  assert.equal(receipt.facesFound, 2);
  assert.equal(receipt.credits, 2 * COST);
  assert.equal(task.costCredits, 2 * COST);
  assert.deepEqual(await credits(task), { available: CREDITS - 2 * COST, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
});

test('items run at once on the engines of idle slots, never on the one kept for short work', async (context) => {
  const engines = [scriptedEngine(), scriptedEngine(), scriptedEngine()];
  startWorker(context, engines);
  const folder = path.join(dir, 'meeting');
  await mkdir(folder);
  const script = `answer-together ${folder}`;
  const task = await ended(await submitBatch(script, script, 'answer-pid', 'answer-pid'));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  const pids = new Set(task.result!.outputs.map(({ width }) => width));
  assert.deepEqual(
    [...pids].sort(),
    engines
      .slice(1)
      .map(({ pid }) => pid)
      .sort(),
  );
});

test('what is done is shown and kept when the batch is cancelled, and that alone is paid', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const task = await submitBatch('answer-pid', 'fail', 'hang', 'answer-pid');
  const seen = await until(task, 'an output is shown', delivered(1));
  assert.equal(seen.status, 'PROCESSING');
  const cancelled = await cancel(task);
  assert.equal(cancelled?.status, 'CANCELLED');
  assert.equal(cancelled.costCredits, COST);
  assert.deepEqual(indexes(cancelled.result?.outputs), [0]);
  assert.equal(cancelled.result?.receipt?.credits, COST);
  assert.deepEqual(await credits(task), { available: CREDITS - COST, held: 0 });
  // The slot is free again, the output still there.
  assert.equal((await ended(await submitBatch('answer-pid'))).status, 'COMPLETED');
  assert.notEqual(await storage.sizeBytes(cancelled.result!.outputs[0]!.objectKey), null);
  assert.deepEqual((await read(task))?.result, cancelled.result);
  assert.deepEqual(await checkLedger(db), []);
});

test('a worker that takes a batch over goes on with the rest: nothing is swapped or charged twice', async (context) => {
  const first = startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const task = await submitBatch('answer-pid', 'hang', 'fail');
  const seen = await until(task, 'an output is shown', delivered(1));
  await first.stop();
  assert.equal((await read(task))?.status, 'PENDING');
  // The second attempt can finish it.
  await writeFile(path.join(dir, 'media/objects', task.sources[1]!.objectKey), 'answer-pid');
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const final = await ended(task);
  assert.equal(final.status, 'COMPLETED');
  assert.deepEqual(final.result!.outputs[0], seen.result!.outputs[0]);
  assert.deepEqual(indexes(final.result!.outputs), [0, 1]);
  assert.deepEqual(indexes(final.result!.failures), [2]);
  assert.equal(final.result!.receipt?.frames.swapped, 2);
  assert.deepEqual(await credits(task), { available: CREDITS - 2 * COST, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
});

test('an item that kills its engine three times fails alone', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine(), scriptedEngine()]);
  const task = await ended(await submitBatch('crash', 'answer-pid', 'answer-pid'));
  assert.equal(task.status, 'COMPLETED');
  assert.deepEqual(indexes(task.result!.outputs), [1, 2]);
  assert.deepEqual(task.result!.failures, [
    {
      index: 0,
      code: 'WORKER_LOST',
      message: 'The engine stopped unexpectedly 3 times while working on this item.',
    },
  ]);
  assert.equal(task.costCredits, 2 * COST);
});

test('where every item fails so does the batch: the first code, every failure listed, nothing charged', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const task = await ended(await submitBatch('fail', 'fail'));
  assert.equal(task.status, 'FAILED');
  assert.deepEqual(task.error, {
    code: 'DECODE_FAILED',
    message: 'All 2 items failed; the first: It is damaged.',
  });
  const failure = { code: 'DECODE_FAILED', message: 'It is damaged.' };
  assert.deepEqual(task.result?.failures, [
    { index: 0, ...failure },
    { index: 1, ...failure },
  ]);
  assert.equal(task.costCredits, 0);
  assert.deepEqual(await credits(task), { available: CREDITS, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
});

test('a vanished upload fails the items that need it', async (context) => {
  const task = await submitBatch('answer-pid', 'answer-pid');
  await storage.delete(task.sources[1]!.objectKey);
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const final = await ended(task);
  assert.deepEqual(indexes(final.result!.outputs), [0]);
  assert.deepEqual(final.result!.failures, [
    { index: 1, code: 'INTERNAL_ERROR', message: 'The uploaded sourceImages[1] is no longer stored.' },
  ]);
});

test('a batch past its deadline is FAILED, and what it had delivered is deleted unpaid', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()], { taskDeadlineMs: 3000 });
  const task = await ended(await submitBatch('answer-pid', 'hang'));
  assert.deepEqual([task.status, task.error?.code], ['FAILED', 'DEADLINE_EXCEEDED']);
  assert.deepEqual(await credits(task), { available: CREDITS, held: 0 });
  const { rows } = await db.pool.query(
    `select count(*) filter (where delete_after > now()) as kept from objects where task_id = $1`,
    [task.id],
  );
  assert.equal(Number(rows[0].kept), 0);
});

test('an engine goes on with the next item while the last one is still being stored', async (context) => {
  const folder = path.join(dir, 'next-item');
  await mkdir(folder);
  const batch = await submitBatch('answer-pid', `answer-together ${folder}`);
  const storing = await db.pool.connect();
  try {
    await storing.query('begin');
    // Outputs are registered before they are stored.
    await storing.query('lock table objects in exclusive mode');
    startWorker(context, [scriptedEngine(), scriptedEngine()]);
    while ((await readdir(folder)).length === 0) await delay(5);
    assert.equal((await read(batch))?.result?.outputs.length ?? 0, 0);
  } finally {
    await storing.query('rollback');
    storing.release();
  }
  await writeFile(path.join(folder, 'somebody else'), '');
  assert.deepEqual(indexes((await ended(batch)).result?.outputs), [0, 1]);
});

test('an engine goes on with the next item while the last one is still being written', async (context) => {
  const folder = path.join(dir, 'written-together');
  await mkdir(folder);
  const script = `write-together ${folder}`;
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  assert.deepEqual(indexes((await ended(await submitBatch(script, script))).result?.outputs), [0, 1]);
});

test('an item whose engine died of the one beside it is swapped all the same', async (context) => {
  const folder = path.join(dir, 'beside-a-crash');
  await mkdir(folder);
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  // Tried again, it meets what the engine that died left in the folder.
  const task = await ended(await submitBatch(`write-together ${folder}`, 'crash'));
  assert.deepEqual(indexes(task.result?.outputs), [0]);
  assert.deepEqual(
    task.result?.failures.map(({ index, code }) => [index, code]),
    [[1, 'WORKER_LOST']],
  );
});

test('a task of another account comes between the items of a batch, not behind them all', async (context) => {
  const folders = await Promise.all(['own', 'helping'].map((name) => mkdtemp(path.join(dir, name))));
  const together = folders.map((folder) => `answer-together ${folder}`);
  const batch = await submitBatch(...together, ...Array.from({ length: 6 }, () => 'answer-pid'), 'hang');
  startWorker(context, [scriptedEngine(), scriptedEngine(), scriptedEngine()]);
  for (const folder of folders) while ((await readdir(folder)).length === 0) await delay(5);
  const other = await submitBatch('answer-pid');
  await writeFile(path.join(folders[1]!, 'go on'), '');
  assert.equal((await ended(other)).status, 'COMPLETED');
  assert.equal((await read(batch))?.status, 'PROCESSING');
  await cancel(batch);
});

test('one analysis of a shared source serves all engines; if there is none, they analyse it themselves', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine(), scriptedEngine()]);
  for (const [how, noted, failures] of [
    ['and see', 'analysis', 0],
    ['blindly', 'no analysis', 1],
  ] as const) {
    const folder = await mkdtemp(path.join(dir, 'analysis'));
    const task = await ended(await submitToMany(`share-analysis ${folder} ${how}`, 2));
    assert.deepEqual((await readdir(folder)).sort(), [noted, 'waits'].sort());
    assert.equal(task.result?.failures.length, failures);
  }
});
