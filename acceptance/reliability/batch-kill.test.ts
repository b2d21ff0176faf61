/**
 * A batch through every kind of sudden death: what was delivered stays, is not made again and is
 * charged once.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { checkLedger } from '@guise/server/credits/check-ledger.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { type Answer, Client, type Fields } from '../ai-tasks/client.ts';
import { makeDataDir, removeDataDir, type Service, startService } from '../service.ts';
import { findProcesses, until } from './processes.ts';

const CREDITS = 30;
const COST = 3;
const PATH = '/api/ai-tasks/batch-face-swap';

const { face, body } = await readSampleFaces();
/** Big enough to be in hand for a while. */
const big = await sharp(body).resize(2400).png({ compressionLevel: 1 }).toBuffer();
/** The first item is done soon, the others take a while. */
const BATCH: Fields = [
  ['mode', 'singleToMulti'],
  ['sourceImages', { bytes: face }],
  ...[face, big, big, big].map((bytes) => ['targetImages', { bytes }] as const),
];

const dataDir = await makeDataDir();
// Three engines, so that idle ones help whatever machine this is.
const env = { GUISE_ENGINE_SLOTS: '3' };
let service: Service = await startService({ dataDir, env });
after(async () => {
  await service.stop();
  await removeDataDir(dataDir);
});

let accounts = 0;

interface Started {
  readonly taskId: string;
  readonly accountId: string;
  /** Returns a client of the service that runs now. */
  client(): Client;
  /** What had been delivered when it was looked at. */
  readonly delivered: Answer['body'][];
}

/** A batch of which something is delivered and something is not. */
async function startBatch(): Promise<Started> {
  const account = await service.createAccount({
    email: `batch-${accounts++}@example.com`,
    plan: 'enterprise',
    credits: CREDITS,
  });
  const client = (): Client => new Client(service.url, account, PATH);
  const accepted = await client().post(BATCH);
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  const { taskId } = accepted.body;
  let delivered: Answer['body'][] = [];
  await until('an output is delivered', async () => {
    const { result, status } = (await client().get(taskId)).body;
    assert.notEqual(status, 'COMPLETED', 'it went too fast for this test');
    delivered = result?.outputs ?? [];
    return delivered.length > 0;
  });
  return { taskId, accountId: account.accountId, client, delivered };
}

async function completesOnce({ taskId, accountId, client, delivered }: Started): Promise<void> {
  let task: Answer['body'] = null;
  await until('the batch has ended', async () => {
    // The API may be away for a moment.
    task = (
      await client()
        .get(taskId)
        .catch(() => null)
    )?.body;
    return task?.status !== undefined && task.status !== 'PENDING' && task.status !== 'PROCESSING';
  });
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
  const { outputs, failures } = task.result;
  assert.deepEqual(failures, []);
  assert.deepEqual(
    outputs.map(({ index }: { index: number }) => index),
    [0, 1, 2, 3],
  );
  for (const before of delivered) {
    const { url, ...facts } = outputs[before.index];
    const { url: urlBefore, ...factsBefore } = before;
    assert.deepEqual(facts, factsBefore, 'what was delivered was not made again');
    // The port is another after a start.
    assert.equal(new URL(url).pathname, new URL(urlBefore).pathname);
  }
  for (const { url } of outputs) assert.equal((await fetch(url)).status, 200);
  assert.equal(task.costCredits, 4 * COST);
  const embedded = await openEmbedded(dataDir, { role: 'visitor' });
  const db = openDatabase(embedded.url, { poolSize: 1 });
  const { rows } = await db.pool.query(
    'select credits_available as available, credits_held as held from accounts where id = $1',
    [accountId],
  );
  assert.deepEqual(rows[0], { available: CREDITS - 4 * COST, held: 0 });
  assert.deepEqual(await checkLedger(db), []);
  await db.close();
  await embedded.stop();
}

test('kill -9 of every engine during a batch', async () => {
  const started = await startBatch();
  for (const pid of await findProcesses(service.pid, 'engine-child.ts')) process.kill(pid, 'SIGKILL');
  await completesOnce(started);
});

test('kill -9 of the worker during a batch', async () => {
  const started = await startBatch();
  for (const pid of await findProcesses(service.pid, 'main/worker.ts')) process.kill(pid, 'SIGKILL');
  await completesOnce(started);
});

test('kill -9 of the whole service during a batch', async () => {
  const started = await startBatch();
  await service.killAll();
  service = await startService({ dataDir, env });
  await completesOnce(started);
});

test('SIGTERM during a batch: a clean exit, and the next start goes on with the rest', async () => {
  const started = await startBatch();
  assert.equal(await service.stop(), 0);
  service = await startService({ dataDir, env });
  await completesOnce(started);
});

test('ten cancels at once against a batch that delivers: one account of what was delivered', async () => {
  const { taskId, client } = await startBatch();
  const answers = await Promise.all(Array.from({ length: 10 }, () => client().cancel(taskId)));
  for (const { status, body } of answers) {
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, answers[0]!.body);
  }
  const { status, costCredits, result } = answers[0]!.body;
  assert.equal(status, 'CANCELLED');
  assert.equal(costCredits, COST * result.outputs.length);
});
