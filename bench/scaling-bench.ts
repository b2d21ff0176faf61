import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { startService } from '../acceptance/service.ts';
import { round, type Figure } from './figures.ts';
import { batchLatency } from './photo-client.ts';
import type { BenchPictures } from './pictures.ts';
import { BATCH_PICTURES } from './service-bench.ts';

/** Until V8 has compiled what it will in each engine: some 70 photos, of which each of two sees half. */
const WARMUPS = 8;
const ROUNDS = 5;
const WORKER_START_LIMIT_MS = 60_000;
/** One slot for long work, beside the one kept for short. */
const ONE_LONG_SLOT = { GUISE_ENGINE_SLOTS: '2' };

/**
 * The same batches on one core and on two, and with one worker process and two (one engine for batches each, two cores).
 * Empty where processes cannot be kept to some cores.
 */
export async function benchScaling(
  dataDir: string,
  apiKey: string,
  pictures: BenchPictures,
): Promise<Figure[]> {
  if (!canChooseCores()) return [];
  const oneCoreMs = await onCores('0', dataDir, {}, (url) => batchesMs(url, apiKey, pictures, 1));
  const twoCoresMs = await onCores('0,1', dataDir, {}, (url) => batchesMs(url, apiKey, pictures, 1));
  const [oneWorkerMs, twoWorkersMs] = await onCores('0,1', dataDir, ONE_LONG_SLOT, async (url) => {
    const alone = await batchesMs(url, apiKey, pictures, 2);
    const more = await startWorker('0,1', dataDir);
    try {
      return [alone, await batchesMs(url, apiKey, pictures, 2)];
    } finally {
      more.kill('SIGTERM');
      await once(more, 'exit');
    }
  });
  return [
    {
      name: 'two cores over one, batch',
      value: round(oneCoreMs / twoCoresMs),
      unit: 'x',
      goal: { atLeast: 1.7 },
    },
    { name: 'batch on one core', value: perSecond(oneCoreMs), unit: 'photos/s' },
    { name: 'batch on two cores', value: perSecond(twoCoresMs), unit: 'photos/s' },
    { name: 'two worker processes over one', value: round(oneWorkerMs! / twoWorkersMs!), unit: 'x' },
    { name: 'two batches, one worker process', value: perSecond(oneWorkerMs!, 2), unit: 'photos/s' },
    { name: 'two batches, two worker processes', value: perSecond(twoWorkersMs!, 2), unit: 'photos/s' },
  ];
}

function perSecond(ms: number, batches = 1): number {
  return round((1000 * batches * BATCH_PICTURES) / ms);
}

/** The best of some rounds after those that warm the engines up: so many batches at once. */
async function batchesMs(
  url: string,
  apiKey: string,
  pictures: BenchPictures,
  batches: number,
): Promise<number> {
  let best = Infinity;
  for (let round = -WARMUPS; round < ROUNDS; round++) {
    const started = performance.now();
    await Promise.all(
      Array.from({ length: batches }, () => batchLatency(url, apiKey, pictures, BATCH_PICTURES)),
    );
    if (round >= 0) best = Math.min(best, performance.now() - started);
  }
  return best;
}

async function onCores<T>(
  cores: string,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const service = await startService({ dataDir, env, wrapper: ['taskset', '-c', cores] });
  try {
    return await use(service.url);
  } finally {
    await service.stop();
  }
}

/** A worker process of its own beside a running service, once it is ready. */
async function startWorker(cores: string, dataDir: string): Promise<ChildProcess> {
  const root = path.resolve(import.meta.dirname, '..');
  const { url, stop } = await openEmbedded(dataDir, { role: 'visitor' });
  const db = openDatabase(url, { poolSize: 1 });
  const worker = spawn(
    'taskset',
    ['-c', cores, process.execPath, path.join(root, 'packages/server/src/main/worker.ts')],
    {
      env: { ...process.env, ...ONE_LONG_SLOT, DATABASE_URL: url, GUISE_DATA_DIR: dataDir },
      stdio: 'ignore',
    },
  );
  try {
    const deadline = performance.now() + WORKER_START_LIMIT_MS;
    for (;;) {
      const { rows } = await db.pool.query<{ count: number }>('select count(*)::int as count from workers');
      if (rows[0]!.count >= 2) return worker;
      if (performance.now() > deadline) throw new Error('the second worker did not start');
      await delay(100);
    }
  } catch (error) {
    worker.kill('SIGKILL');
    throw error;
  } finally {
    await db.close();
    await stop();
  }
}

function canChooseCores(): boolean {
  try {
    execFileSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
