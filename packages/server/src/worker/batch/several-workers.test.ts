/**
 * Batches that several workers share, as on several machines, and what happens when one is killed.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkLedger } from '../../credits/check-ledger.ts';
import { startSweeper } from '../../storage/sweeper.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { Task } from '../../tasks/task.ts';
import { newAccount as createTestAccount } from '../../tasks/testing/task-fixtures.ts';
import { scriptedEngine } from '../testing/scripted-worker.ts';
import {
  COST,
  credits,
  databaseUrl,
  db,
  dir,
  ended,
  processing,
  read,
  sample,
  startWorker,
  storage,
  storeInput,
  until,
} from '../testing/worker-rig.ts';

const CREDITS = 1000;
const MEDIA_DIR = path.join(dir, 'media');
const WORKER = path.join(import.meta.dirname, '../testing/worker-process.ts');

let children: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(children.map(killed));
  children = [];
});

/** Starts a worker with one slot for long work, in a process of its own. */
async function spawnWorker(): Promise<ChildProcess> {
  const args = [WORKER, databaseUrl, MEDIA_DIR];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** A batch of many sources, each of which says what an engine is to do. */
async function submit(...scripts: string[]): Promise<Task> {
  const accountId = await createTestAccount(db, CREDITS);
  const target = await storeInput(accountId, 'targetImages[0]', sample.body);
  const sources = await Promise.all(
    scripts.map((script, n) => storeInput(accountId, `sourceImages[${n}]`, Buffer.from(script))),
  );
  const { task } = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'BATCH_FACE_SWAP',
    lane: 'long',
    parameters: {},
    work: {
      kind: 'swap-batch',
      items: sources.map((source) => ({ source, target })),
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    },
    costCredits: COST * scripts.length,
  });
  return task!;
}

const newFolder = (): Promise<string> => mkdtemp(path.join(dir, 'meeting-'));

/** Waits until an engine waits in the folder. */
async function taken(folder: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; (await readdir(folder)).length === 0; await delay(5)) {
    assert.ok(performance.now() < deadline, 'nobody took the item');
  }
}

/** Lets an item that waits in the folder go on, as will all that come there later. */
const release = (folder: string): Promise<void> => writeFile(path.join(folder, 'go on'), '');

/** Makes the silence of a killed worker last as long as its lease. */
async function endLeases(taskId: string): Promise<void> {
  await db.pool.query(
    `update tasks set lease_until = now() - interval '1 s' where id = $1 and status = 'PROCESSING'`,
    [taskId],
  );
  await db.pool.query(
    `update task_parts set lease_until = now() - interval '1 s' where task_id = $1 and status = 'RUNNING'`,
    [taskId],
  );
}

/**
 * Checks that of a task its outputs are there, each once, and nothing else: no file, row or part.
 */
async function leavesOnlyOutputs(task: Task): Promise<void> {
  const sweeper = startSweeper({
    pool: db.pool,
    storage,
    prune: async () => {},
    onError: (error) => assert.ifError(error),
  });
  const expected = task.result!.outputs.map(({ objectKey }) => objectKey).sort();
  assert.equal(new Set(expected).size, expected.length);
  const objects = async (): Promise<string[]> => {
    await sweeper.sweepNow();
    const { rows } = await db.pool.query('select key from objects where task_id = $1 order by key', [
      task.id,
    ]);
    return rows.map(({ key }) => key);
  };
  // A worker that lost its item removes its output by itself.
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(20)) {
    if ((await objects()).length === expected.length) break;
  }
  assert.deepEqual(await objects(), expected);
  await sweeper.stop();
  for (const key of expected) assert.notEqual(await storage.sizeBytes(key), null);
  const files = await readdir(path.join(MEDIA_DIR, 'objects'), { recursive: true, withFileTypes: true });
  const { rows } = await db.pool.query('select key from objects');
  const known = new Set(rows.map(({ key }) => path.basename(key)));
  assert.deepEqual(
    files.filter((file) => file.isFile() && !known.has(file.name)).map(({ name }) => name),
    [],
  );
  assert.equal((await db.pool.query('select 1 from task_parts')).rowCount, 0);
}

async function completedOnce(task: Task, items: number): Promise<Task> {
  const final = await ended(task);
  assert.equal(final.status, 'COMPLETED', JSON.stringify(final.error));
  assert.deepEqual(final.result!.failures, []);
  assert.deepEqual(
    final.result!.outputs.map(({ index }) => index),
    Array.from({ length: items }, (_, index) => index),
  );
  assert.equal(final.costCredits, items * COST);
  assert.deepEqual(await credits(task), { available: CREDITS - items * COST, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
  await leavesOnlyOutputs(final);
  return final;
}

test('two workers work on one batch at the same time', async (context) => {
  const engines = Array.from({ length: 4 }, () => scriptedEngine());
  startWorker(context, engines.slice(0, 2));
  startWorker(context, engines.slice(2));
  const folder = await newFolder();
  // Neither comes to its end before the other one has begun, and each worker has one slot for them.
  const together = `answer-together ${folder}`;
  const task = await completedOnce(await submit(together, together, 'answer-pid', 'answer-pid'), 4);
  const pids = task.result!.outputs.slice(0, 2).map(({ width }) => width);
  assert.deepEqual(pids.sort(), [engines[1]!.pid, engines[3]!.pid].sort());
});

for (const who of ['leads', 'helps'] as const) {
  test(`kill -9 of the worker that ${who} loses nothing, makes nothing twice and charges once`, async () => {
    const leader = await spawnWorker();
    const [first, ...folders] = await Promise.all([newFolder(), newFolder(), newFolder()]);
    const task = await submit(
      'answer-pid',
      `answer-together ${first}`,
      ...folders.map((folder) => `answer-together ${folder}`),
      'answer-pid',
      'answer-pid',
    );
    await taken(first);
    const helper = await spawnWorker();
    // One item in each worker's hands, and two that wait.
    await taken(folders[0]!);
    await release(first);
    await taken(folders[1]!);
    const { result: before } = await until(
      task,
      'two are shown',
      ({ result }) => result?.outputs.length === 2,
    );
    await killed(who === 'leads' ? leader : helper);
    await endLeases(task.id);
    await Promise.all(folders.map(release));
    const { result } = await completedOnce(task, 6);
    assert.deepEqual(result!.outputs.slice(0, 2), before!.outputs);
  });
}

test('workers that are killed again and again finish a batch in the end', async () => {
  const task = await submit(...Array.from({ length: 60 }, () => 'answer-pid'));
  let workers: ChildProcess[] = await Promise.all([spawnWorker(), spawnWorker()]);
  for (let round = 0; round < 6; round++) {
    const done = (await read(task))?.result?.outputs.length ?? 0;
    const more = (now: Task): boolean =>
      (now.result?.outputs.length ?? 0) > done || now.status === 'COMPLETED';
    await until(task, 'another output is shown', more);
    const next = spawnWorker();
    await killed(workers[round % 2]!);
    await endLeases(task.id);
    workers = workers.with(round % 2, await next);
  }
  await completedOnce(task, 60);
});

test('a cancelled batch lets go of the slots of all workers, and pays for what it delivered', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const task = await submit('answer-pid', 'hang', 'hang', 'answer-pid');
  await until(task, 'an output is shown', ({ result }) => result?.outputs.length === 1);
  const address = {
    accountId: task.accountId,
    taskId: task.id,
    interface: 'ai-tasks',
    type: 'BATCH_FACE_SWAP',
  } as const;
  const cancelled = await cancelTask(db, address, { inputRetentionMs: 0 });
  assert.deepEqual([cancelled?.status, cancelled?.costCredits], ['CANCELLED', COST]);
  assert.deepEqual(await credits(task), { available: CREDITS - COST, held: 0 });
  const together = `answer-together ${await newFolder()}`;
  await completedOnce(await submit(together, together), 2);
  await leavesOnlyOutputs((await read(task))!);
});

test('items that kill their engines fail alone, whichever workers tried them', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const task = await ended(await submit('crash', 'answer-pid', 'crash', 'answer-pid'));
  assert.deepEqual(
    task.result!.failures.map(({ index, code }) => [index, code]),
    [
      [0, 'WORKER_LOST'],
      [2, 'WORKER_LOST'],
    ],
  );
  assert.equal(task.costCredits, 2 * COST);
  await leavesOnlyOutputs(task);
});

test('a leader that leaves hands its batch to another worker, and what is done stays', async (context) => {
  const first = startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const folder = await newFolder();
  const task = await submit('answer-pid', `answer-together ${folder}`, 'answer-pid');
  await processing(task);
  await taken(folder);
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  await until(task, 'both others are shown', ({ result }) => result?.outputs.length === 2);
  await first.stop();
  await release(folder);
  await completedOnce(task, 3);
});

test('a leader that can neither finish nor fail its batch leaves it to the next one', async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const folder = await newFolder();
  const task = await submit(`answer-together ${folder}`);
  await taken(folder);
  await db.pool.query('alter table credit_entries rename to hidden_entries');
  await release(folder);
  // A leader that has not given up renews its lease of 15 seconds every 5.
  const restSeconds = async (): Promise<number> => {
    const sql = 'select extract(epoch from lease_until - now())::float8 as rest from tasks where id = $1';
    return (await db.pool.query(sql, [task.id])).rows[0].rest ?? 0;
  };
  for (const deadline = performance.now() + 60_000; (await restSeconds()) > 7; await delay(50))
    assert.ok(performance.now() < deadline, 'the leader goes on');
  await db.pool.query('alter table hidden_entries rename to credit_entries');
  await endLeases(task.id);
  await completedOnce(task, 1);
});
