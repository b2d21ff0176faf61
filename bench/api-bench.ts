import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';
import type { Service } from '../acceptance/service.ts';
import { distribution, round, type Figure } from './report/figures.ts';
import type { BenchPictures } from './pictures.ts';
import { createPhotoTask } from './photo-client.ts';
import { processTree } from './process-tree.ts';

const ROUNDS = 3;
const ROUND_SECONDS = 4;
/** Seconds without measurement, in which V8 compiles the code of a new server. */
const WARMUP_SECONDS = 2;
const CONNECTIONS = 16;

/**
 * Measures polls of one finished task, and creates of small photos that no worker takes. The
 * service and a bare route with the same statements run alternately, so that the machine's load
 * affects both.
 */
export async function benchApi(service: Service, apiKey: string, pictures: BenchPictures): Promise<Figure[]> {
  const taskId = await createPhotoTask(service.url, apiKey, pictures);
  const bare = fork(path.join(import.meta.dirname, 'bare-server.ts'), [service.dataDir, apiKey]);
  try {
    const [bareUrl] = (await once(bare, 'message')) as [string];
    const headers = { authorization: `Bearer ${apiKey}` };
    const polls = await inTurns(
      { url: `${service.url}/api/ai-tasks?taskId=${taskId}`, headers },
      { url: `${bareUrl}/task?taskId=${taskId}`, headers },
    );
    const form = await encodeForm(pictures);
    const post = { method: 'POST', headers: { ...headers, ...form.headers }, body: form.body } as const;
    const creates = await withoutWorker(service, () =>
      inTurns({ url: `${service.url}/api/ai-tasks`, ...post }, { url: `${bareUrl}/task`, ...post }),
    );
    return [...figuresOf('polls', polls, 0.75), ...figuresOf('creates', creates, 0.6)];
  } finally {
    bare.kill();
  }
}

interface Rates {
  readonly perSecond: number;
  readonly barePerSecond: number;
}

function figuresOf(what: string, { perSecond, barePerSecond }: Rates, atLeast: number): Figure[] {
  return [
    {
      name: `${what} over a bare route`,
      value: round(perSecond / barePerSecond),
      unit: 'x',
      goal: { atLeast },
    },
    { name: what, value: Math.round(perSecond), unit: '/s' },
    { name: `${what}, bare route`, value: Math.round(barePerSecond), unit: '/s' },
  ];
}

async function inTurns(service: autocannon.Options, bare: autocannon.Options): Promise<Rates> {
  const rates: number[] = [];
  const bareRates: number[] = [];
  for (const each of [service, bare]) await requestsPerSecond(each, WARMUP_SECONDS);
  for (let turn = 0; turn < ROUNDS; turn++) {
    rates.push(await requestsPerSecond(service, ROUND_SECONDS));
    bareRates.push(await requestsPerSecond(bare, ROUND_SECONDS));
  }
  return { perSecond: distribution(rates).p50, barePerSecond: distribution(bareRates).p50 };
}

async function requestsPerSecond(options: autocannon.Options, duration: number): Promise<number> {
  const result = await autocannon({ ...options, connections: CONNECTIONS, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${options.url}: ${result.non2xx} refused, ${result.errors} broken`);
  return result.requests.average;
}

/** Runs `work` without a worker, because a worker would take the cores that creates need. */
async function withoutWorker<T>(service: Service, work: () => Promise<T>): Promise<T> {
  const workers = processTree(service.pid).filter(({ script }) => script === 'worker.ts');
  for (const { pid } of workers) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const { pid } of workers) process.kill(pid, 'SIGCONT');
  }
}

async function encodeForm({
  small,
}: BenchPictures): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const form = new FormData();
  form.append('sourceImage', new Blob([new Uint8Array(small)]), 'source.jpg');
  form.append('targetImage', new Blob([new Uint8Array(small)]), 'target.jpg');
  const encoded = new Response(form);
  return {
    headers: { 'content-type': encoded.headers.get('content-type')! },
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}
