import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeDataDir, removeDataDir, startService, type Service } from '../acceptance/service.ts';
import { benchApi } from './api-bench.ts';
import { distribution, round, type Figure } from './report/figures.ts';
import { batchLatency, photoLatency } from './photo-client.ts';
import { BATCH_PICTURES, type BenchPictures } from './pictures.ts';
import { processTree } from './process-tree.ts';
import { BENCH_ACCOUNT, benchScaling } from './scaling-bench.ts';
import { benchStalls } from './stalls-bench.ts';

const PHOTOS = 25;
const WARMUPS = 5;

export interface ServiceFigures {
  readonly photos: Figure[];
  readonly api: Figure[];
  readonly stalls: Figure[];
  readonly scaling: Figure[];
}

/**
 * Measures the whole service, started as a user starts it, with its own data directory, which is
 * removed afterwards.
 */
export async function benchService(
  pictures: BenchPictures,
  say: (line: string) => void,
): Promise<ServiceFigures> {
  const dataDir = await makeDataDir();
  const stallsFile = path.join(path.dirname(dataDir), 'stalls');
  try {
    const first = await timedStart(dataDir);
    await first.service.stop();
    const probe = pathToFileURL(path.join(import.meta.dirname, 'stall-probe.ts')).href;
    const { service, startMs } = await timedStart(dataDir, {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${probe}`,
      GUISE_BENCH_STALLS: stallsFile,
    });
    let measured: Omit<ServiceFigures, 'scaling'>;
    try {
      const { apiKey } = await service.createAccount(BENCH_ACCOUNT);
      say('photos and batches');
      const photos = await benchPhotos(service, apiKey, pictures);
      say('large bodies');
      const stalls = await benchStalls(service, apiKey, pictures, stallsFile);
      say('polls and creates');
      const api = await benchApi(service, apiKey, pictures);
      const starts = [
        { name: 'first start', value: round(first.startMs), unit: 'ms' },
        { name: 'warm start', value: round(startMs), unit: 'ms' },
      ];
      measured = { photos: [...photos, ...starts, ...peaksOf(service)], api, stalls };
    } finally {
      await service.stop();
    }
    say('one and two cores, one and two workers');
    return { ...measured, scaling: await benchScaling(pictures) };
  } finally {
    await removeDataDir(dataDir);
  }
}

async function benchPhotos(service: Service, apiKey: string, pictures: BenchPictures): Promise<Figure[]> {
  const times: number[] = [];
  for (let photo = -WARMUPS; photo < PHOTOS; photo++) {
    const ms = await photoLatency(service.url, apiKey, pictures);
    if (photo >= 0) times.push(ms);
  }
  await batchLatency(service.url, apiKey, pictures, BATCH_PICTURES);
  const batchMs = await batchLatency(service.url, apiKey, pictures, BATCH_PICTURES);
  const { p50, p95 } = distribution(times);
  return [
    { name: 'POST to COMPLETED, p50', value: p50, unit: 'ms', goal: { atMost: 150 } },
    { name: 'POST to COMPLETED, p95', value: p95, unit: 'ms' },
    { name: 'batch of 19', value: round((1000 * BATCH_PICTURES) / batchMs), unit: 'photos/s' },
  ];
}

/** Returns the peak memory of the processes of each kind. */
function peaksOf(service: Service): Figure[] {
  const names: Record<string, string> = {
    'server.ts': 'API',
    'worker.ts': 'worker',
    'engine-child.ts': 'engine',
  };
  const tree = processTree(service.pid);
  return Object.entries(names).flatMap(([script, name]) => {
    const peaks = tree.filter((each) => each.script === script).map(({ peakMiB }) => peakMiB);
    return peaks.length === 0
      ? []
      : [{ name: `peak memory, ${name} process`, value: Math.max(...peaks), unit: 'MiB' }];
  });
}

async function timedStart(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ service: Service; startMs: number }> {
  const started = performance.now();
  const service = await startService({ dataDir, env });
  return { service, startMs: performance.now() - started };
}
