import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from '@guise/contract/task.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { createAccount } from '../accounts/create-account.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import { openDatabase } from '../db/database.ts';
import { openNotifications } from '../db/notifications.ts';
import { createTestDatabase } from '../db/test-database.ts';
import { LocalStorage } from '../storage/local-storage.ts';
import { registerObjects, UNCLAIMED_INPUT_LIFETIME_MS } from '../storage/objects.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { createTask } from '../tasks/create-task.ts';
import { getTask } from '../tasks/get-task.ts';
import type { StoredInput, Task } from '../tasks/task.ts';
import { waitForTask } from '../tasks/wait-for-task.ts';
import { createLogger } from '../telemetry/log.ts';
import { EngineProcess } from './engine-process.ts';
import type { WorkerSettings } from './worker-options.ts';
import { runWorker } from './worker.ts';

const PATIENCE_MS = 60_000;
const COST = 3;

const database = await createTestDatabase();
const { db } = database;
const relaxedDb = openDatabase(database.url, { poolSize: 4, durable: false });
const notifications = openNotifications(database.url);
const dir = await mkdtemp(path.join(tmpdir(), 'guise-worker-'));
const storage = await LocalStorage.open(path.join(dir, 'media'));
const log = createLogger({ level: 'silent', name: 'test' });
const sample = await readSampleFaces();
after(async () => {
  await notifications.close();
  await relaxedDb.close();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

const scriptedEngine = (): EngineProcess =>
  new EngineProcess({
    modelCacheDir: '',
    signing: { certificatePath: '', keyPath: '' },
    script: path.join(import.meta.dirname, 'testing/scripted-engine.ts'),
    abortGraceMs: 20,
  });

/** A worker for the length of one test; `stop` is what SIGTERM does. */
function startWorker(
  context: TestContext,
  engines: readonly EngineProcess[],
  settings: Partial<WorkerSettings> = {},
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const running = runWorker(
    {
      db,
      relaxedDb,
      notifications,
      storage,
      log,
      engines,
      settings: {
        taskDeadlineMs: 600_000,
        inputRetentionMs: 0,
        outputLifetimeMs: 86_400_000,
        maxPixels: 100_000_000,
        workersAreGone: false,
        shutdownGraceMs: 20,
        ...settings,
      },
    },
    stopping.signal,
  );
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    await Promise.all(engines.map((engine) => engine.close()));
  };
  context.after(stop);
  return { stop };
}

let accounts = 0;

async function newAccount(): Promise<string> {
  const email = `worker-${accounts++}@example.com`;
  return (await createAccount(db, { email, plan: 'free', emailVerified: true, startingCredits: 30 })).id;
}

async function storeInput(accountId: string, field: string, content: Buffer): Promise<StoredInput> {
  const scratch = storage.scratchPath('part');
  await writeFile(scratch, content);
  const objectKey = storage.newKey('input', 'jpg');
  const deleteAfter = new Date(Date.now() + UNCLAIMED_INPUT_LIFETIME_MS);
  await registerObjects(db.pool, [{ key: objectKey, kind: 'input', accountId, taskId: null, deleteAfter }]);
  await storage.put(objectKey, scratch);
  return {
    field,
    objectKey,
    fileName: 'a.jpg',
    contentType: 'image/jpeg',
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    width: 256,
    height: 256,
  };
}

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

async function ended(task: Task): Promise<Task> {
  const final = await waitForTask(db, notifications, task.id, { timeoutMs: PATIENCE_MS });
  assert.ok(final !== null, 'the task did not end in time');
  return final;
}

function read({ id, accountId }: Task): Promise<Task | null> {
  return getTask(db, { accountId, taskId: id, interface: 'ai-tasks', type: 'IMAGE_SWAP' });
}

async function processing(task: Task): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while ((await read(task))?.status !== 'PROCESSING') {
    assert.ok(performance.now() < endMs, 'the task was not taken in time');
    await delay(10);
  }
}

async function credits(task: Task): Promise<{ available: number; held: number }> {
  const { rows } = await db.pool.query(
    'select credits_available as available, credits_held as held from accounts where id = $1',
    [task.accountId],
  );
  return rows[0];
}

test('a photo task is swapped by the real engine, its output stored, its credits captured', async (context) => {
  const signing = await ensureSigningFiles(path.join(dir, 'signing'));
  startWorker(context, [new EngineProcess({ modelCacheDir: path.join(dir, 'models'), signing })]);
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
