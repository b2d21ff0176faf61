import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { makeDataDir, removeDataDir, type Service, startService } from '../acceptance/service.ts';
import { round, type Figure } from './report/figures.ts';
import { batchLatency } from './photo-client.ts';
import { BATCH_PICTURES, type BenchPictures } from './pictures.ts';

/**
 * Number of unfinished batches: two are being swapped, and one waits, so that no engine is idle.
 */
const IN_FLIGHT = 3;
/**
 * Number of batches before the measurement, in which V8 compiles the code: about 70 photos, half of
 * them in each of two engines.
 */
const WARMUPS = 8;
const MEASURED = 15;
const ALONE = 5;
const WORKER_START_LIMIT_MS = 60_000;
/** Account whose tasks the bench creates. */
export const BENCH_ACCOUNT = { email: 'bench@example.com', plan: 'enterprise', credits: 1e6 } as const;
/** Settings for one slot for long work, in addition to the slot for short work. */
const ONE_LONG_SLOT = { GUISE_ENGINE_SLOTS: '2' };

/**
 * Measures batches on one core and on two cores; and on two cores with one worker process and with
 * two processes, each with one engine for batches. Empty if processes cannot be bound to cores.
 */
export async function benchScaling(pictures: BenchPictures): Promise<Figure[]> {
  if (!canChooseCores()) return [];
  // Thousands of photos of another section may wait in its folder, and would be swapped first.
  const dataDir = await makeDataDir();
  try {
    return await measureScaling(dataDir, pictures);
  } finally {
    await removeDataDir(dataDir);
  }
}

async function measureScaling(dataDir: string, pictures: BenchPictures): Promise<Figure[]> {
  const { apiKey } = await onCores('0,1', dataDir, {}, (service) => service.createAccount(BENCH_ACCOUNT));
  const measure = async ({ url }: Service): Promise<Batches> => ({
    perSecond: await photosPerSecond(url, apiKey, pictures),
    aloneMs: await aloneMs(url, apiKey, pictures),
  });
  const oneCore = await onCores('0', dataDir, {}, measure);
  const twoCores = await onCores('0,1', dataDir, {}, measure);
  const [oneWorker, twoWorkers] = await onCores('0,1', dataDir, ONE_LONG_SLOT, async ({ url }) => {
    const alone = await photosPerSecond(url, apiKey, pictures);
    const more = await startWorker('0,1', dataDir);
    try {
      return [alone, await photosPerSecond(url, apiKey, pictures)];
    } finally {
      more.kill('SIGTERM');
      await once(more, 'exit');
    }
  });
  return [
    {
      name: 'two cores over one, batches',
      value: round(twoCores.perSecond / oneCore.perSecond),
      unit: 'x',
      goal: { atLeast: 1.7 },
    },
    {
      name: 'two cores over one, a batch alone',
      value: round(oneCore.aloneMs / twoCores.aloneMs),
      unit: 'x',
    },
    { name: 'batches on one core', value: round(oneCore.perSecond), unit: 'photos/s' },
    { name: 'batches on two cores', value: round(twoCores.perSecond), unit: 'photos/s' },
    { name: 'two worker processes over one', value: round(twoWorkers! / oneWorker!), unit: 'x' },
    { name: 'batches, one worker process', value: round(oneWorker!), unit: 'photos/s' },
    { name: 'batches, two worker processes', value: round(twoWorkers!), unit: 'photos/s' },
  ];
}

interface Batches {
  /** Photos per second while more batches wait. */
  readonly perSecond: number;
  /**
   * Time from the POST of a single batch to its end. During its upload and its last photo, the
   * second core is idle.
   */
  readonly aloneMs: number;
}

/** Measures the photos per second of warm engines with a queue that is never empty. */
async function photosPerSecond(url: string, apiKey: string, pictures: BenchPictures): Promise<number> {
  const endsMs: number[] = [];
  const client = async (): Promise<void> => {
    while (endsMs.length < WARMUPS + MEASURED) {
      await batchLatency(url, apiKey, pictures, BATCH_PICTURES);
      endsMs.push(performance.now());
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  const ms = endsMs[WARMUPS + MEASURED - 1]! - endsMs[WARMUPS - 1]!;
  return (1000 * MEASURED * BATCH_PICTURES) / ms;
}

/** Measures the shortest time of several single batches. */
async function aloneMs(url: string, apiKey: string, pictures: BenchPictures): Promise<number> {
  let best = Infinity;
  for (let batch = 0; batch < ALONE; batch++) {
    best = Math.min(best, await batchLatency(url, apiKey, pictures, BATCH_PICTURES));
  }
  return best;
}

async function onCores<T>(
  cores: string,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ dataDir, env, wrapper: ['taskset', '-c', cores] });
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

/** Starts another worker process for a running service, and waits until it is ready. */
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
