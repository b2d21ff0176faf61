import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';
import type { Service } from '../acceptance/service.ts';
import { distribution, round } from './figures.ts';
import type { BenchPictures } from './pictures.ts';
import { createPhotoTask } from './service-bench.ts';

export interface ApiFigures {
  readonly pollsPerSecond: number;
  /** The same statement behind a bare fastify route, in turns with the service. */
  readonly barePollsPerSecond: number;
  readonly pollsOverBare: number;
}

const ROUNDS = 3;
const ROUND_SECONDS = 4;
const CONNECTIONS = 16;

/** Polls of one finished task, service and bare route in turns, so that both see the same machine. */
export async function benchApi(
  service: Service,
  apiKey: string,
  pictures: BenchPictures,
): Promise<ApiFigures> {
  const taskId = await createPhotoTask(service, apiKey, pictures);
  const bare = fork(path.join(import.meta.dirname, 'bare-server.ts'), [service.dataDir, apiKey]);
  try {
    const [bareUrl] = (await once(bare, 'message')) as [string];
    const polls: number[] = [];
    const barePolls: number[] = [];
    for (let turn = 0; turn < ROUNDS; turn++) {
      polls.push(await requestsPerSecond(`${service.url}/api/ai-tasks?taskId=${taskId}`, apiKey));
      barePolls.push(await requestsPerSecond(`${bareUrl}/task?taskId=${taskId}`, apiKey));
    }
    const pollsPerSecond = distribution(polls).p50;
    const barePollsPerSecond = distribution(barePolls).p50;
    return { pollsPerSecond, barePollsPerSecond, pollsOverBare: round(pollsPerSecond / barePollsPerSecond) };
  } finally {
    bare.kill();
  }
}

async function requestsPerSecond(url: string, apiKey: string): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} broken`);
  return round(result.requests.average);
}
