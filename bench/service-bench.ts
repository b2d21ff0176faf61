import { makeDataDir, removeDataDir, startService, type Service } from '../acceptance/service.ts';
import { distribution, round, type Distribution } from './figures.ts';
import type { BenchPictures } from './pictures.ts';

export interface ServiceFigures {
  /** `npm start` on an empty data directory: models converted, database made. */
  readonly firstStartMs: number;
  readonly warmStartMs: number;
  /** From sending the POST to the poll that says COMPLETED; polls every 5 ms. One megapixel, warm worker. */
  readonly photoMs: Distribution;
  /** One source into 19 such pictures, from the POST to COMPLETED, on all cores. */
  readonly batchPicturesPerSecond: number;
}

const PHOTOS = 25;
const WARMUPS = 3;
const POLL_MS = 5;
/** The largest batch that `/api/ai-tasks` takes. */
const BATCH_PICTURES = 19;

/** The whole service as a user starts it, on a data directory of its own. `use` gets it while it is warm. */
export async function benchService<T>(
  pictures: BenchPictures,
  use: (service: Service, apiKey: string) => Promise<T>,
): Promise<{ service: ServiceFigures; used: T }> {
  const dataDir = await makeDataDir();
  try {
    const first = await timedStart(dataDir);
    await first.service.stop();
    const { service, startMs: warmStartMs } = await timedStart(dataDir);
    try {
      const { apiKey } = await service.createAccount({
        email: 'bench@example.com',
        plan: 'enterprise',
        credits: 1e6,
      });
      for (let photo = 0; photo < WARMUPS; photo++) await photoLatency(service, apiKey, pictures);
      const times: number[] = [];
      for (let photo = 0; photo < PHOTOS; photo++) times.push(await photoLatency(service, apiKey, pictures));
      const batchMs = await batchLatency(service, apiKey, pictures);
      const used = await use(service, apiKey);
      const figures = {
        firstStartMs: first.startMs,
        warmStartMs,
        photoMs: distribution(times),
        batchPicturesPerSecond: round((1000 * BATCH_PICTURES) / batchMs),
      };
      return { service: figures, used };
    } finally {
      await service.stop();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

async function timedStart(dataDir: string): Promise<{ service: Service; startMs: number }> {
  const started = performance.now();
  const service = await startService({ dataDir });
  return { service, startMs: round(performance.now() - started) };
}

/** Milliseconds from the POST to COMPLETED. */
async function photoLatency(service: Service, apiKey: string, pictures: BenchPictures): Promise<number> {
  const started = performance.now();
  await untilCompleted(
    `${service.url}/api/ai-tasks`,
    apiKey,
    await createPhotoTask(service, apiKey, pictures),
  );
  return performance.now() - started;
}

/** The same for a batch. */
async function batchLatency(
  service: Service,
  apiKey: string,
  { source, target }: BenchPictures,
): Promise<number> {
  const body = new FormData();
  body.append('mode', 'singleToMulti');
  body.append('sourceImages', new Blob([new Uint8Array(source)]), 'source.jpg');
  for (let picture = 0; picture < BATCH_PICTURES; picture++) {
    body.append('targetImages', new Blob([new Uint8Array(target)]), `target-${picture}.jpg`);
  }
  const url = `${service.url}/api/ai-tasks/batch-face-swap`;
  const started = performance.now();
  await untilCompleted(url, apiKey, await post(url, apiKey, body));
  return performance.now() - started;
}

async function untilCompleted(url: string, apiKey: string, taskId: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}?taskId=${taskId}`, { headers: bearer(apiKey) });
    const task = (await response.json()) as { status: string };
    if (task.status === 'COMPLETED') return;
    if (task.status !== 'PENDING' && task.status !== 'PROCESSING') throw new Error(JSON.stringify(task));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export async function createPhotoTask(
  service: Service,
  apiKey: string,
  { source, target }: BenchPictures,
): Promise<string> {
  const body = new FormData();
  body.append('sourceImage', new Blob([new Uint8Array(source)]), 'source.jpg');
  body.append('targetImage', new Blob([new Uint8Array(target)]), 'target.jpg');
  return post(`${service.url}/api/ai-tasks`, apiKey, body);
}

async function post(url: string, apiKey: string, body: FormData): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: bearer(apiKey), body });
  const accepted = (await response.json()) as { taskId: string };
  if (response.status !== 200) throw new Error(JSON.stringify(accepted));
  return accepted.taskId;
}

function bearer(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}
