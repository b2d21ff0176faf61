/**
 * `node launch.cjs bench/capacity-runs/replay.ts`: gives one trace of arrivals to a real service
 * with 1, 2 and 4 worker processes on this machine, and writes what became of it to
 * `bench/capacity/replayed.json`, with which the simulation is compared. Needs /proc and no
 * fixtures, takes some minutes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Plan } from '@guise/contract/plans.ts';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import {
  makeDataDir,
  readPostmasterPid,
  removeDataDir,
  startService,
  type TestAccount,
} from '../../acceptance/service.ts';
import { round } from '../report/figures.ts';
import { createBatchTask, createPhotoTask } from '../photo-client.ts';
import { BATCH_PICTURES, benchPictures } from '../pictures.ts';
import { processTree } from '../process-tree.ts';
import { scheduledTime } from './process-time.ts';
import { type Replay, type Replayed, REPLAYED_FILE, type ReplayedTask } from '../capacity/replayed.ts';
import { type Arrival, burst, orderOf, poisson, together } from '../capacity/sim/arrivals.ts';
import { Random } from '../capacity/sim/random.ts';

const WORKERS = [1, 2, 4];
/** One slot kept for photos and one for all work: as few engines as a worker can have. */
const SLOTS = 2;
const PLANS: readonly Plan[] = ['enterprise', 'enterprise', 'pro'];
const SEED = 19;
const TRACE_SECONDS = 90;
const PHOTOS_A_SECOND = 1.2;
/** Photos of one account that come at once, halfway. */
const BURST = 20;
/** Photos that warm up each engine. */
const WARM_UPS = 12;
const ROOT = path.resolve(import.meta.dirname, '../..');
const START_LIMIT_MS = 600_000;
const END_LIMIT_MS = 1_200_000;
const LOOK_MS = 500;

const pictures = await benchPictures();
const replays: Replay[] = [];
const random = new Random(SEED);
const trace = together(
  poisson(
    random,
    { perSecond: PHOTOS_A_SECOND, accounts: [0, 1, 2], order: orderOf('photo') },
    TRACE_SECONDS,
  ),
  burst(TRACE_SECONDS / 2, 2, orderOf('photo'), BURST),
  burst(TRACE_SECONDS / 4, 0, orderOf('batch', BATCH_PICTURES), 1),
);
for (const workers of WORKERS) replays.push(await replay(workers));
const replayed: Replayed = {
  machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() },
  date: new Date().toISOString().slice(0, 10),
  accounts: PLANS,
  replays,
};
await writeFile(REPLAYED_FILE, `${JSON.stringify(replayed)}\n`);

async function replay(workers: number): Promise<Replay> {
  say(`${workers} worker processes`);
  const dataDir = await makeDataDir();
  const env = { GUISE_ENGINE_SLOTS: String(SLOTS) };
  const service = await startService({ dataDir, env });
  const more: ChildProcess[] = [];
  const server = await openEmbedded(dataDir, { role: 'visitor' });
  const db = openDatabase(server.url, { poolSize: 1 });
  try {
    for (let k = 1; k < workers; k++) more.push(startWorker(server.url, dataDir));
    await until(async () => {
      const { rows } = await db.pool.query<{ n: number }>('select count(*)::int as n from workers');
      return rows[0]!.n >= workers;
    }, START_LIMIT_MS);
    const accounts: TestAccount[] = [];
    for (const [k, plan] of PLANS.entries())
      accounts.push(await service.createAccount({ email: `replay${k}@example.com`, plan, credits: 1e6 }));
    const create = async ({ account, order }: Pick<Arrival, 'account' | 'order'>): Promise<string> => {
      const { apiKey } = accounts[account]!;
      return order.kind === 'batch'
        ? await createBatchTask(service.url, apiKey, pictures, order.size)
        : await createPhotoTask(service.url, apiKey, pictures);
    };
    say('warming up');
    for (let k = 0; k < WARM_UPS * SLOTS * workers; k++)
      await create({ account: k % 2, order: orderOf('photo') });
    await untilIdle(db);

    say('replaying');
    const pids = [service.pid, (await readPostmasterPid(dataDir))!, ...more.map((each) => each.pid!)];
    const before = timeOfAll(pids);
    const startedMs = performance.now();
    const created: { readonly id: string; readonly arrival: Arrival }[] = [];
    const posts: Promise<void>[] = [];
    for (const arrival of trace) {
      await delay(Math.max(0, 1000 * arrival.atSeconds - (performance.now() - startedMs)));
      posts.push(create(arrival).then((id) => void created.push({ id, arrival })));
    }
    await Promise.all(posts);
    await untilIdle(db);
    const elapsedSeconds = (performance.now() - startedMs) / 1000;
    const after = timeOfAll(pids);
    const ran = after.ranSeconds - before.ranSeconds;
    const ready = ran + after.waitedSeconds - before.waitedSeconds;
    const slowdown = ready / ran;
    // Of n threads that are ready, with those of others, each gets a core's share of cores / n.
    const others = Math.max(0, slowdown * availableParallelism() - ready / elapsedSeconds);
    return {
      workers,
      slots: SLOTS,
      others: round(others),
      slowdown: round(slowdown),
      tasks: await readTasks(db, created),
    };
  } finally {
    await db.close();
    await server.stop();
    for (const worker of more) {
      worker.kill('SIGTERM');
      await once(worker, 'exit');
    }
    await service.stop();
    await removeDataDir(dataDir);
  }
}

/** Starts a further worker process beside the running service. */
function startWorker(url: string, dataDir: string): ChildProcess {
  const env = {
    ...process.env,
    GUISE_ENGINE_SLOTS: String(SLOTS),
    DATABASE_URL: url,
    GUISE_DATA_DIR: dataDir,
  };
  const script = path.join(ROOT, 'packages/server/src/main/worker.ts');
  return spawn(process.execPath, [script], { env, stdio: 'ignore', detached: true });
}

function untilIdle(db: Database): Promise<void> {
  return until(async () => {
    const { rows } = await db.pool.query<{ n: number }>(
      `select count(*)::int as n from tasks where status in ('PENDING', 'PROCESSING')`,
    );
    return rows[0]!.n === 0;
  }, END_LIMIT_MS);
}

async function until(isSo: () => Promise<boolean>, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('The replay takes too long.');
    await delay(LOOK_MS);
  }
}

/** Adds up the time of the threads of all processes below these. */
function timeOfAll(pids: readonly number[]): { ranSeconds: number; waitedSeconds: number } {
  const all = new Set(pids.flatMap((pid) => processTree(pid).map((each) => each.pid)));
  const sum = { ranSeconds: 0, waitedSeconds: 0 };
  for (const pid of all) {
    const { ranSeconds, waitedSeconds } = scheduledTime(pid);
    sum.ranSeconds += ranSeconds;
    sum.waitedSeconds += waitedSeconds;
  }
  return sum;
}

async function readTasks(
  db: Database,
  posted: readonly { readonly id: string; readonly arrival: Arrival }[],
): Promise<ReplayedTask[]> {
  const arrivals = new Map(posted.map(({ id, arrival }) => [id, arrival]));
  const { rows } = await db.pool.query<Record<'id' | 'status', string> & Record<'c' | 's' | 'f', number>>(
    `select id, status, extract(epoch from created_at)::float8 as c, extract(epoch from started_at)::float8 as s,
       extract(epoch from completed_at)::float8 as f
     from tasks where id = any($1) order by created_at`,
    [[...arrivals.keys()]],
  );
  const first = rows[0]!.c;
  return rows.map(({ id, status, c, s, f }) => {
    if (status !== 'COMPLETED') throw new Error(`A task of the replay is ${status}.`);
    const { order, account } = arrivals.get(id)!;
    const kind = order.kind === 'batch' ? 'batch' : 'photo';
    const [created, started, finished] = [c, s, f].map((time) => round(time - first)) as [
      number,
      number,
      number,
    ];
    return { kind, size: order.size, account, created, started, finished };
  });
}

/** Prints progress to stderr. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
