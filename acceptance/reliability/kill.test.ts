import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { checkLedger } from '@guise/server/credits/check-ledger.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import {
  makeDataDir,
  readPostmasterPid,
  removeDataDir,
  startService,
  type Service,
  type TestAccount,
} from '../service.ts';
import { allGone, findProcesses, processTree, until } from './processes.ts';

const CREDITS = 30;
const COST = 3;
/** Side of a target that is in hand for seconds. */
const TARGET_SIDE = 2800;

const { face, body } = await readSampleFaces();
const bigTarget = await sharp(body).resize(TARGET_SIDE, TARGET_SIDE).png({ compressionLevel: 1 }).toBuffer();

const dataDir = await makeDataDir();
let service: Service = await startService({ dataDir });
after(async () => {
  await service.stop();
  await removeDataDir(dataDir);
});

let accounts = 0;
const newAccount = (): Promise<TestAccount> =>
  service.createAccount({ email: `kill-${accounts++}@example.com`, plan: 'enterprise', credits: CREDITS });

async function submit(account: TestAccount): Promise<string> {
  const form = new FormData();
  form.set('sourceImage', new Blob([Uint8Array.from(face)]), 'face.jpg');
  form.set('targetImage', new Blob([Uint8Array.from(bigTarget)]), 'target.png');
  const response = await fetch(`${service.url}/api/ai-tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}` },
    body: form,
  });
  const answer = (await response.json()) as { taskId: string };
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer.taskId;
}

interface PolledTask {
  readonly status: string;
  readonly costCredits: number;
  readonly result: {
    readonly outputs: { readonly url: string }[];
    readonly error: { readonly code: string };
  } | null;
}

/** null while the API cannot be reached. */
async function poll(account: TestAccount, taskId: string): Promise<PolledTask | null> {
  try {
    const response = await fetch(`${service.url}/api/ai-tasks?taskId=${taskId}`, {
      headers: { authorization: `Bearer ${account.apiKey}`, connection: 'close' },
    });
    return response.status === 200 ? ((await response.json()) as PolledTask) : null;
  } catch {
    return null;
  }
}

async function status(account: TestAccount, taskId: string, wanted: readonly string[]): Promise<PolledTask> {
  let task: PolledTask | null = null;
  await until(`task ${taskId} is ${wanted.join(' or ')}`, async () => {
    task = await poll(account, taskId);
    return task !== null && wanted.includes((task as PolledTask).status);
  });
  return task!;
}

async function completesOnce(account: TestAccount, taskId: string): Promise<void> {
  const task = await status(account, taskId, ['COMPLETED', 'FAILED', 'CANCELLED']);
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
  const file = await fetch(task.result!.outputs[0]!.url);
  assert.equal(file.status, 200);
  assert.equal((await sharp(await file.arrayBuffer()).metadata()).width, TARGET_SIDE);
  await accountsAreRight(account, { available: CREDITS - COST, held: 0 });
}

async function accountsAreRight(account: TestAccount, credits: object): Promise<void> {
  const shown = JSON.parse(await service.guise('account', 'show', '--email', account.email, '--json'));
  assert.deepEqual(shown.credits, credits);
  await onDatabase(async (url) => {
    const db = openDatabase(url, { poolSize: 1 });
    assert.deepEqual(await checkLedger(db), []);
    await db.close();
  });
}

async function onDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const embedded = await openEmbedded(dataDir, { role: 'visitor' });
  try {
    await use(embedded.url);
  } finally {
    await embedded.stop();
  }
}

async function killOne(name: string): Promise<number[]> {
  const pids = await findProcesses(service.pid, name);
  assert.ok(pids.length > 0, `no process ${name}`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids;
}

test('kill -9 of the engine during a task: the task completes, charged once', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  await status(account, taskId, ['PROCESSING']);
  await killOne('engine-child.ts');
  await completesOnce(account, taskId);
});

test('a task whose engine dies three times is FAILED with WORKER_LOST and costs nothing', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  let task = await status(account, taskId, ['PROCESSING']);
  let killed: number[] = [];
  while (task.status !== 'FAILED') {
    // Only a fresh engine with the task in hand can die again.
    await until('an engine is there to die', async () => {
      task = (await poll(account, taskId)) ?? task;
      if (task.status !== 'PROCESSING') return task.status === 'FAILED';
      const pids = await findProcesses(service.pid, 'engine-child.ts');
      return pids.length > 0 && pids.every((pid) => !killed.includes(pid));
    });
    if (task.status === 'FAILED') break;
    killed = await killOne('engine-child.ts');
  }
  assert.equal(task.result?.error.code, 'WORKER_LOST');
  await accountsAreRight(account, { available: CREDITS, held: 0 });
});

test('kill -9 of the worker during a task: it is started again, the task completes, its engines are gone', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  await status(account, taskId, ['PROCESSING']);
  const engines = await findProcesses(service.pid, 'engine-child.ts');
  await killOne('main/worker.ts');
  await allGone(engines);
  await completesOnce(account, taskId);
});

test('kill -9 of the API during a task: it comes back at the same address, the task completes', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  await status(account, taskId, ['PROCESSING']);
  await killOne('main/server.ts');
  await completesOnce(account, taskId);
});

test('kill -9 of PostgreSQL during a task: it comes back, the task completes, charged once', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  await status(account, taskId, ['PROCESSING']);
  process.kill((await readPostmasterPid(dataDir))!, 'SIGKILL');
  await completesOnce(account, taskId);
});

test('a second service on the same data directory is refused in one sentence; the first goes on', async () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const start = promisify(execFile)(
    process.execPath,
    [path.join(root, 'launch.cjs'), path.join(root, 'packages/server/src/main/all-in-one.ts')],
    { env: { ...process.env, PORT: '0', GUISE_DATA_DIR: dataDir } },
  );
  await assert.rejects(start, (error: Error & { code: number; stderr: string }) => {
    assert.equal(error.code, 1);
    assert.match(error.stderr, /^guise: Another guise service is already running on .+\n$/);
    return true;
  });
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
});

test('SIGTERM during a task: a clean exit; after the next start the task completes, no attempt counted', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  await status(account, taskId, ['PROCESSING']);
  const pids = (await processTree(service.pid)).map(({ pid }) => pid);
  assert.equal(await service.stop(), 0);
  await allGone(pids);
  await onDatabase(async (url) => {
    const db = openDatabase(url, { poolSize: 1 });
    const { rows } = await db.pool.query('select status, engine_deaths from tasks where id = $1', [taskId]);
    // It may have ended within the grace.
    assert.ok(['PENDING', 'COMPLETED'].includes(rows[0].status), rows[0].status);
    assert.equal(rows[0].engine_deaths, 0);
    await db.close();
  });
  service = await startService({ dataDir });
  await completesOnce(account, taskId);
});

test('kill -9 of the whole service at once during a task: after the next start it completes, charged once', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  await status(account, taskId, ['PROCESSING']);
  await service.killAll();
  service = await startService({ dataDir });
  await completesOnce(account, taskId);
});

test('kill -9 of the parent alone: no process of the service remains, and the next start goes on', async () => {
  const account = await newAccount();
  const taskId = await submit(account);
  await status(account, taskId, ['PROCESSING']);
  const pids = (await processTree(service.pid)).map(({ pid }) => pid);
  process.kill(service.pid, 'SIGKILL');
  await allGone(pids);
  service = await startService({ dataDir });
  await completesOnce(account, taskId);
});
