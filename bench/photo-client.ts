import type { BenchPictures } from './pictures.ts';

const POLL_MS = 5;
/**
 * Time between polls for a batch, which takes a second or more. Polls every 5 ms would use a tenth
 * of a core, and so change the measured time.
 */
const BATCH_POLL_MS = 25;

type Pair = Pick<BenchPictures, 'source' | 'target'>;

/** Measures the milliseconds from the POST of a photo task to the poll that says COMPLETED. */
export async function photoLatency(serviceUrl: string, apiKey: string, pictures: Pair): Promise<number> {
  const started = performance.now();
  const taskId = await createPhotoTask(serviceUrl, apiKey, pictures);
  await untilCompleted(`${serviceUrl}/api/ai-tasks`, apiKey, taskId, POLL_MS);
  return performance.now() - started;
}

/**
 * Measures the milliseconds from the POST of a batch, one source into `count` targets, to the poll
 * that says COMPLETED.
 */
export async function batchLatency(
  serviceUrl: string,
  apiKey: string,
  { source, target }: Pair,
  count: number,
): Promise<number> {
  const body = new FormData();
  body.append('mode', 'singleToMulti');
  body.append('sourceImages', new Blob([new Uint8Array(source)]), 'source.jpg');
  for (let picture = 0; picture < count; picture++) {
    body.append('targetImages', new Blob([new Uint8Array(target)]), `target-${picture}.jpg`);
  }
  const url = `${serviceUrl}/api/ai-tasks/batch-face-swap`;
  const started = performance.now();
  await untilCompleted(url, apiKey, await post(url, apiKey, body), BATCH_POLL_MS);
  return performance.now() - started;
}

/**
 * Creates a photo task.
 * @returns the task's id
 */
export function createPhotoTask(
  serviceUrl: string,
  apiKey: string,
  { source, target }: Pair,
): Promise<string> {
  const body = new FormData();
  body.append('sourceImage', new Blob([new Uint8Array(source)]), 'source.jpg');
  body.append('targetImage', new Blob([new Uint8Array(target)]), 'target.jpg');
  return post(`${serviceUrl}/api/ai-tasks`, apiKey, body);
}

export function bearer(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}

async function untilCompleted(url: string, apiKey: string, taskId: string, pollMs: number): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}?taskId=${taskId}`, { headers: bearer(apiKey) });
    const task = (await response.json()) as { status: string };
    if (task.status === 'COMPLETED') return;
    if (task.status !== 'PENDING' && task.status !== 'PROCESSING') throw new Error(JSON.stringify(task));
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function post(url: string, apiKey: string, body: FormData): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: bearer(apiKey), body });
  const accepted = (await response.json()) as { taskId: string };
  if (response.status !== 200) throw new Error(JSON.stringify(accepted));
  return accepted.taskId;
}
