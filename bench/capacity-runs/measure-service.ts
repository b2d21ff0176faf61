import type { Service } from '../../acceptance/service.ts';
import { round } from '../report/figures.ts';
import { BATCHES, createBatchTask, createPhotoTask, PHOTOS, untilCompleted } from '../photo-client.ts';
import { BATCH_PICTURES, type BenchPictures } from '../pictures.ts';
import { processTree } from '../process-tree.ts';
import type { StillTimes } from '../capacity/sim/measured.ts';
import { processTime } from './process-time.ts';

const WARM_UPS = 10;
const PHOTO_COUNT = 60;
const BATCH_COUNT = 4;
/** Tasks that are under way at once. */
const TASKS_AT_ONCE = 4;
/** Pause between two polls: each takes CPU time of API and database that is not the task's. */
const POLL_MS = 1000;

/** CPU time of the processes beside the engines, for one photo or item. */
export type Beside = Omit<StillTimes, 'engine'>;

/** Measures what API, worker and PostgreSQL take for a photo, and for an item of a batch. */
export async function measureService(
  { url, pid }: Service,
  apiKey: string,
  postmasterPid: number,
  pictures: BenchPictures,
): Promise<{ readonly photo: Beside; readonly item: Beside }> {
  const tasks = async (endpoint: string, count: number, create: () => Promise<string>): Promise<void> => {
    let left = count;
    const client = async (): Promise<void> => {
      while (left-- > 0) await untilCompleted(`${url}${endpoint}`, apiKey, await create(), POLL_MS);
    };
    await Promise.all(Array.from({ length: TASKS_AT_ONCE }, client));
  };
  const photos = (count: number): Promise<void> =>
    tasks(PHOTOS, count, () => createPhotoTask(url, apiKey, pictures));
  const batches = (count: number): Promise<void> =>
    tasks(BATCHES, count, () => createBatchTask(url, apiKey, pictures, BATCH_PICTURES));
  const measure = async (count: number, run: () => Promise<void>): Promise<Beside> => {
    const before = timesBeside(pid, postmasterPid);
    await run();
    const after = timesBeside(pid, postmasterPid);
    const each = (name: keyof Beside): number => round((after[name] - before[name]) / count);
    return { api: each('api'), worker: each('worker'), database: each('database') };
  };
  await photos(WARM_UPS);
  const photo = await measure(PHOTO_COUNT, () => photos(PHOTO_COUNT));
  await batches(1);
  const item = await measure(BATCH_COUNT * BATCH_PICTURES, () => batches(BATCH_COUNT));
  return { photo, item };
}

function timesBeside(pid: number, postmasterPid: number): Beside {
  const tree = processTree(pid);
  const ofScript = (script: string): number =>
    sum(tree.filter((each) => each.script === script).map((each) => processTime(each.pid).cpuSeconds));
  const database = sum(processTree(postmasterPid).map((each) => processTime(each.pid).cpuSeconds));
  return { api: ofScript('server.ts'), worker: ofScript('worker.ts'), database };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
