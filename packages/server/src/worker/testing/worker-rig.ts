import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskType } from '@guise/contract/task.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { openDatabase } from '../../db/database.ts';
import { openNotifications } from '../../db/notifications.ts';
import { createTestDatabase } from '../../db/test-database.ts';
import { createGuardedClient } from '../../net/guarded-client.ts';
import { heldNetworks } from '../../networks/testing/test-networks.ts';
import { createEndedInputs } from '../../storage/ended-inputs.ts';
import { LocalStorage } from '../../storage/local-storage.ts';
import { registerObjects, UNCLAIMED_INPUT_LIFETIME_MS } from '../../storage/objects.ts';
import { newStorageKey, type Storage } from '../../storage/storage.ts';
import { getTask } from '../../tasks/get-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { StoredInput, Task, WorkSpec } from '../../tasks/task.ts';
import { LanePace } from '../../tasks/queue/lane-pace.ts';
import { newAccount as createTestAccount } from '../../tasks/testing/task-fixtures.ts';
import { waitForTask } from '../../tasks/wait-for-task.ts';
import { createLogger } from '../../telemetry/log.ts';
import { createWorkerMetrics } from '../../telemetry/worker-metrics.ts';
import { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { SWAP_CLAIM } from '@guise/engine-host/parent/swap-claim.ts';
import type { WorkerOptions, WorkerSettings } from '../work/worker-options.ts';
import { runWorker } from '../worker.ts';
import { TEST_SECRET, TEST_SETTINGS } from './scripted-worker.ts';
import { TEST_MODELS } from '@guise/engine/models/testing/test-models.ts';

// Shared setup for tests of the worker: a real database and storage, workers and tasks.

/** Longest time to wait for an expected event. */
const PATIENCE_MS = 120_000;
/** Credits that each test task costs. */
export const COST = 3;

const database = await createTestDatabase();
export const { db, url: databaseUrl } = database;
const relaxedDb = openDatabase(database.url, { poolSize: 4, durable: false });
const notifications = openNotifications(database.url);
export const dir = await mkdtemp(path.join(tmpdir(), 'guise-worker-'));
// Other users may enter the data folder, because engines run as an unprivileged user and read their
// models there.
await chmod(dir, 0o711);
export const storage = await LocalStorage.open(path.join(dir, 'media'));
const log = createLogger({ level: 'silent', name: 'test' });
const client = createGuardedClient({ allowPrivate: true });
export const sample = await readSampleFaces();
after(async () => {
  await client.close();
  await notifications.close();
  await relaxedDb.close();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

/** Makes an engine that costs nothing until a test needs it: it has too few jobs for a warm-up. */
export async function realEngine(): Promise<EngineProcess> {
  const identity = await loadSigningIdentity(await ensureSigningFiles(path.join(dir, 'signing')));
  const signer = createManifestSigner(identity, SWAP_CLAIM);
  return new EngineProcess({
    modelCacheDir: TEST_MODELS,
    currentSigner: () => signer,
    ownsInputs: true,
    warmUp: false,
    startsOnDemand: true,
  });
}

/** Starts a worker for one test. `stop` has the same effect as SIGTERM. */
export function startWorker(
  context: TestContext,
  engines: readonly EngineProcess[],
  settings: Partial<WorkerSettings> = {},
  store: Storage = storage,
  networks = heldNetworks(),
  refuse: Pick<WorkerOptions, 'moderate' | 'blockedFaces'> = {},
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const endedInputs = createEndedInputs({ pool: db.pool, storage: store, onError: assert.ifError });
  const running = runWorker(
    {
      db,
      relaxedDb,
      notifications,
      storage: store,
      client,
      log,
      metrics: createWorkerMetrics(),
      pace: new LanePace(),
      secret: TEST_SECRET,
      engines,
      networks,
      ...refuse,
      settings: {
        ...TEST_SETTINGS,
        ending: { inputRetentionMs: 0, onEnded: endedInputs.discard },
        ...settings,
      },
    },
    stopping.signal,
  );
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    await Promise.all([endedInputs.settled(), ...engines.map((engine) => engine.close())]);
  };
  context.after(stop);
  return { stop };
}

export const newAccount = (): Promise<string> => createTestAccount(db, 30);

export async function storeInput(
  accountId: string,
  field: string,
  content: Buffer,
  store: Storage = storage,
): Promise<StoredInput> {
  const scratch = store.scratch.newPath('part');
  await writeFile(scratch, content);
  const objectKey = newStorageKey('input', 'jpg');
  const deleteAfter = new Date(Date.now() + UNCLAIMED_INPUT_LIFETIME_MS);
  const sizeBytes = content.length;
  await registerObjects(db.pool, [
    { key: objectKey, kind: 'input', accountId, taskId: null, sizeBytes, deleteAfter },
  ]);
  await store.put(objectKey, scratch);
  return {
    field,
    objectKey,
    fileName: 'a.jpg',
    contentType: 'image/jpeg',
    sizeBytes,
    sha256: createHash('sha256').update(content).digest('hex'),
    width: 256,
    height: 256,
  };
}

/** Submits an order over /api/ai-tasks, as it is accepted. */
export async function submitOrder(accountId: string, type: TaskType, work: WorkSpec): Promise<Task> {
  const lane = type === 'IMAGE_SWAP' ? 'short' : 'long';
  const order = { interface: 'ai-tasks', type, lane, parameters: {}, costCredits: COST } as const;
  const { task } = await createTask(db, { accountId, work, ...order });
  assert.ok(task !== null);
  return task;
}

export async function ended(task: Task): Promise<Task> {
  const final = await waitForTask(db, notifications, task.id, { timeoutMs: PATIENCE_MS });
  assert.ok(final !== null, 'the task did not end in time');
  return final;
}

export function read({ id, accountId, type }: Task): Promise<Task | null> {
  return getTask(db, { accountId, taskId: id, interface: 'ai-tasks', type: type as TaskType });
}

export async function until(task: Task, what: string, isSo: (task: Task) => boolean): Promise<Task> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const now = await read(task);
    if (now !== null && isSo(now)) return now;
    assert.ok(performance.now() < endMs, `not in time: ${what}`);
    await delay(10);
  }
}

export const processing = (task: Task): Promise<Task> =>
  until(task, 'it is taken', ({ status }) => status === 'PROCESSING');

export async function credits(task: Task): Promise<{ available: number; held: number }> {
  const { rows } = await db.pool.query(
    'select credits_available as available, credits_held as held from accounts where id = $1',
    [task.accountId],
  );
  return rows[0];
}
