import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from '@guise/contract/task.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { createTask } from '../tasks/create-task.ts';
import type { Task } from '../tasks/task.ts';
import {
  COST,
  credits,
  db,
  dir,
  ended,
  newAccount,
  processing,
  read,
  realEngine,
  sample,
  startWorker,
  storage,
  storeInput,
} from './testing/worker-rig.ts';
import { scriptedEngine } from './testing/scripted-worker.ts';

/** A photo task whose source is `source`: a picture, or what a scripted engine is to do. */
async function submit(source: Buffer | string, lane: Lane = 'short'): Promise<Task> {
  const accountId = await newAccount();
  const created = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
    lane,
    parameters: {},
    work: {
      kind: 'swap-image',
      source: await storeInput(accountId, 'sourceImage', Buffer.from(source)),
      target: await storeInput(accountId, 'targetImage', sample.body),
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    },
    costCredits: COST,
  });
  assert.ok(created.task !== null);
  return created.task;
}

test('a photo task is swapped by the real engine, its output stored, its credits captured', async (context) => {
  startWorker(context, [await realEngine()]);
  const task = await ended(await submit(sample.face));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  const [output] = task.result!.outputs;
  assert.equal(output?.contentType, 'image/jpeg');
  assert.deepEqual([output?.width, output?.height], [1200, 1200]);
  assert.equal(await storage.sizeBytes(output!.objectKey), output!.sizeBytes);
  const stored = path.join(dir, 'media/objects', output!.objectKey);
  assert.equal((await verifyFile(stored, 'image/jpeg')).c2pa?.valid, true);
  const { receipt } = task.result!;
  assert.equal(receipt?.facesFound, 1);
  assert.equal(receipt?.credits, COST);
  assert.deepEqual(await credits(task), { available: 30 - COST, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
});

test('uploads are gone when their task has ended, however it ended', async (context) => {
  startWorker(context, [scriptedEngine()], { taskDeadlineMs: 200 });
  for (const outcome of ['answer-pid', 'fail', 'crash', 'hang']) {
    const task = await ended(await submit(outcome));
    const uploads = 'select 1 from objects where task_id = $1 and kind = $2';
    const deadline = performance.now() + 60_000;
    while ((await db.pool.query(uploads, [task.id, 'input'])).rowCount !== 0) {
      assert.ok(performance.now() < deadline, `${outcome}: the uploads stayed`);
      await delay(10);
    }
  }
});

test('a cancelled task stops at once, and its slot takes the next one', async (context) => {
  startWorker(context, [scriptedEngine()]);
  const task = await submit('hang');
  await processing(task);
  const subject = {
    accountId: task.accountId,
    taskId: task.id,
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
  } as const;
  assert.equal((await cancelTask(db, subject, { inputRetentionMs: 0 }))?.status, 'CANCELLED');
  assert.equal((await ended(await submit('answer-pid'))).status, 'COMPLETED');
  assert.equal((await read(task))?.status, 'CANCELLED');
  assert.deepEqual(await credits(task), { available: 30, held: 0 });
});

test('a task that kills three engines is FAILED with WORKER_LOST, and its credits are released', async (context) => {
  startWorker(context, [scriptedEngine()]);
  const task = await ended(await submit('crash'));
  assert.deepEqual([task.status, task.error?.code], ['FAILED', 'WORKER_LOST']);
  assert.deepEqual(await credits(task), { available: 30, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
});

test('a shutdown hands the task in hand back, and that is no attempt', async (context) => {
  const { stop } = startWorker(context, [scriptedEngine()]);
  const task = await submit('hang');
  await processing(task);
  await stop();
  assert.equal((await read(task))?.status, 'PENDING');
  const { rows } = await db.pool.query('select engine_deaths from tasks where id = $1', [task.id]);
  assert.equal(rows[0].engine_deaths, 0);
  await db.pool.query('delete from tasks where id = $1', [task.id]);
});

test('a task past its deadline is FAILED with DEADLINE_EXCEEDED', async (context) => {
  startWorker(context, [scriptedEngine()], { taskDeadlineMs: 200 });
  const task = await ended(await submit('hang'));
  assert.deepEqual([task.status, task.error?.code], ['FAILED', 'DEADLINE_EXCEEDED']);
});

test("the engine's own verdict on the files ends the task with its code and sentence", async (context) => {
  startWorker(context, [scriptedEngine()]);
  const task = await ended(await submit('fail'));
  assert.deepEqual(task.error, { code: 'DECODE_FAILED', message: 'It is damaged.' });
});

test('a task whose upload has vanished fails once and is not tried for ever', async (context) => {
  const task = await submit('answer-pid');
  const { rows } = await db.pool.query(
    `select work -> 'source' ->> 'objectKey' as key from tasks where id = $1`,
    [task.id],
  );
  await storage.delete(rows[0].key);
  startWorker(context, [scriptedEngine()]);
  assert.deepEqual((await ended(task)).error, {
    code: 'INTERNAL_ERROR',
    message: 'The uploaded sourceImage is no longer stored.',
  });
});

test('long work never takes the slot kept for short work', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const long = [await submit('hang', 'long'), await submit('hang', 'long')];
  await Promise.race(long.map(processing));
  assert.equal((await ended(await submit('answer-pid'))).status, 'COMPLETED');
  const states = (await Promise.all(long.map(read))).map((task) => task?.status).sort();
  assert.deepEqual(states, ['PENDING', 'PROCESSING']);
  await db.pool.query('delete from tasks where id = any($1)', [long.map((task) => task.id)]);
});

test('an output that nobody gets is removed', async (context) => {
  startWorker(context, [scriptedEngine()]);
  const delivered = await ended(await submit('answer-pid'));
  await stat(path.join(dir, 'media/objects', delivered.result!.outputs[0]!.objectKey));
  const failed = await ended(await submit('fail'));
  const { rows } = await db.pool.query(
    `select count(*) from objects where kind = 'output' and task_id = $1`,
    [failed.id],
  );
  assert.equal(rows[0].count, 0);
});

test('an engine that starts on demand starts for work that no other engine takes', async (context) => {
  const [first, spare] = [scriptedEngine(), scriptedEngine('', true)];
  startWorker(context, [first, spare]);
  await first.whenReady();
  assert.equal(spare.isStarted, false);
  const task = await ended(await submit('answer-pid', 'long'));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  assert.equal(task.result!.outputs[0]!.width, spare.pid);
});

test('an engine that starts on demand starts for work that waited before its worker', async (context) => {
  const waiting = await submit('answer-pid', 'long');
  startWorker(context, [scriptedEngine(), scriptedEngine('', true)]);
  const task = await ended(waiting);
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
});

test('an engine that starts on demand starts after a while without work, too', async (context) => {
  const spare = scriptedEngine('', true);
  startWorker(context, [scriptedEngine(), spare], { spareStartMs: 1 });
  while (!spare.isStarted) await delay(10);
});
