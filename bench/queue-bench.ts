import path from 'node:path';
import type { Lane } from '@guise/contract/task.ts';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { migrate } from '@guise/server/db/migrate.ts';
import { createTask } from '@guise/server/tasks/create-task.ts';
import { finishTask } from '@guise/server/tasks/finish-task.ts';
import { getTask } from '@guise/server/tasks/get-task.ts';
import { createParts } from '@guise/server/tasks/parts/create-parts.ts';
import { finishPart } from '@guise/server/tasks/parts/finish-part.ts';
import type { ClaimedPart } from '@guise/server/tasks/queue/claim-parts.ts';
import { heartbeat } from '@guise/server/tasks/heartbeat.ts';
import type { ClaimedTask } from '@guise/server/tasks/queue/claim-tasks.ts';
import { Claimer } from '@guise/server/tasks/queue/claimer.ts';
import { databaseCpuMs } from './database-cpu.ts';
import { type Figure, round } from './report/figures.ts';
import { addFinishedTasks, addWaitingTasks } from './fill-queue.ts';

const LEASE_MS = 60_000;
const ACCOUNTS = 10_000;
const TASKS_EACH = 4;
const FINISHED = 1_000_000;
const CLAIMERS = 16;
/** Number of claims in one measurement. */
const ROUNDS = 8000;
/** Number of creates, polls or finishes in one measurement. */
const REQUESTS = 2000;
/** Numbers of simultaneous requests. Each stands for this many processes. */
const CLIENTS = [1, 4, 16] as const;
/** Number of clients for the figures that do not depend on it. */
const SOME_CLIENTS = 8;

/**
 * Measures the queue on a separate PostgreSQL: how many tasks per second are given to workers that
 * do no work, each with its own connection, and the requests before and after a claim.
 */
export async function benchQueue(folder: string, say: (what: string) => void): Promise<Figure[]> {
  const server = await openEmbedded(path.join(folder, 'queue'), { role: 'service' });
  const db = openDatabase(server.url, { poolSize: Math.max(...CLIENTS) });
  try {
    await migrate(db);
    const figures: Figure[] = [];
    for (const accounts of [1, 100, ACCOUNTS]) {
      say(`queue: ${accounts} accounts`);
      await addWaitingTasks(db, accounts, Math.max(TASKS_EACH, (3 * ROUNDS) / accounts));
      for (const claimers of [1, 4, CLAIMERS]) {
        const name = `claims a second, ${count(accounts)} accounts, ${claimers} claimers`;
        const goal = accounts === ACCOUNTS && claimers === CLAIMERS ? { goal: { atLeast: 1500 } } : {};
        figures.push({ name, value: await claimsASecond(server.url, claimers, 1), unit: '/s', ...goal });
      }
      await db.pool.query(`delete from tasks`);
    }
    await addWaitingTasks(db, ACCOUNTS, TASKS_EACH);
    const inFours = await claimsASecond(server.url, CLAIMERS, 4);
    figures.push({
      name: 'tasks a second in claims of up to 4',
      value: inFours,
      unit: '/s',
      goal: { atLeast: 3000 },
    });
    figures.push(
      ...(await aroundClaims(db, 'without history', { clients: SOME_CLIENTS, accounts: SOME_CLIENTS })),
    );
    for (const accounts of [1, 100, ACCOUNTS]) {
      say(`queue: creates, polls and finishes of ${accounts} accounts`);
      for (const clients of CLIENTS) {
        const title = `${count(accounts)} accounts, ${clients} clients`;
        figures.push(...(await aroundClaims(db, title, { clients, accounts })));
      }
    }
    say('queue: CPU of the database');
    figures.push(...(await databaseCosts(server.url, db)));

    say('queue: a million finished tasks');
    await addFinishedTasks(db, FINISHED);
    await addWaitingTasks(db, ACCOUNTS, TASKS_EACH);
    const before = figures.find(({ goal }) => goal !== undefined)!.value;
    const beside = await claimsASecond(server.url, CLAIMERS, 1);
    figures.push(
      { name: 'claims a second beside 1,000,000 finished tasks', value: beside, unit: '/s' },
      {
        name: 'claims beside them over without',
        value: round(beside / before),
        unit: 'x',
        goal: { atLeast: 0.8 },
      },
    );
    figures.push(
      ...(await aroundClaims(db, 'beside 1,000,000 finished', {
        clients: SOME_CLIENTS,
        accounts: SOME_CLIENTS,
      })),
    );
    return figures;
  } finally {
    await db.close();
    await server.stop();
  }
}

/**
 * Claims some of the waiting tasks. Each claimer has `slots` slots, and claims for all of them at
 * once.
 */
async function claimsASecond(url: string, claimers: number, slots: number): Promise<number> {
  const databases = Array.from({ length: claimers }, () =>
    openDatabase(url, { poolSize: 1, durable: false }),
  );
  let left = ROUNDS;
  const work = async (claimer: Claimer): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await nextTask(claimer, 'short');
    }
  };
  try {
    for (const { pool } of databases) await pool.query('select 1');
    const startedAt = performance.now();
    await Promise.all(
      databases.flatMap(({ pool }) => {
        const claimer = new Claimer(pool, LEASE_MS);
        return Array.from({ length: slots }, () => work(claimer));
      }),
    );
    return Math.round((ROUNDS / (performance.now() - startedAt)) * 1000);
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
}

interface Load {
  /** Number of simultaneous requests. */
  readonly clients: number;
  /** Number of accounts, which create tasks in turn. */
  readonly accounts: number;
}

/** Creates, polls, claims and finishes tasks. */
async function aroundClaims(db: Database, title: string, load: Load): Promise<Figure[]> {
  const work = await requestsOf(db, load.accounts);
  const { clients } = load;
  const creates = await perSecond(clients, work.create);
  const polls = await perSecond(clients, work.poll);
  await perSecond(clients, work.claim);
  const finishes = await perSecond(clients, work.finish);
  return [
    { name: `creates a second, ${title}`, value: creates, unit: '/s' },
    { name: `polls a second, ${title}`, value: polls, unit: '/s' },
    { name: `finishes a second, ${title}`, value: finishes, unit: '/s' },
  ];
}

/**
 * Measures the CPU time of PostgreSQL for one request of each kind, ms. It limits the requests per
 * second, and can be measured on a busy machine, too. Empty if there is no /proc.
 */
async function databaseCosts(url: string, db: Database): Promise<Figure[]> {
  const work = await requestsOf(db, SOME_CLIENTS);
  const parts = await partsOf(db, REQUESTS);
  const ask = (run: (n: number) => Promise<void>, clients = SOME_CLIENTS) => ({
    run: () => perSecond(clients, run),
    times: REQUESTS,
  });
  const steps = {
    'a part claimed': ask(parts.claim, 1),
    'a part finished': ask(parts.finish),
    'a create': ask(work.create),
    'a poll': ask(work.poll),
    'a task in claims of one': { run: () => claimsASecond(url, SOME_CLIENTS, 1), times: ROUNDS },
    'a task in claims of up to 4': { run: () => claimsASecond(url, SOME_CLIENTS, 4), times: ROUNDS },
    'a task in claims of up to 8': ask(work.claim),
    'a heartbeat': ask(work.heartbeat),
    'a finish': ask(work.finish),
    'a claim that finds nothing': ask(work.claimNothing, 1),
  };
  const figures: Figure[] = [];
  for (const [what, { run, times }] of Object.entries(steps)) {
    // The step before has changed thousands of rows. In a service, autovacuum cleans up after them.
    await db.pool.query('vacuum analyze tasks');
    const before = await databaseCpuMs(db.pool);
    if (before === null) return [];
    await run();
    const value = round(((await databaseCpuMs(db.pool))! - before) / times);
    figures.push({ name: `database CPU of ${what}`, value, unit: 'ms' });
  }
  return figures;
}

/** Returns functions that claim and finish the parts of one batch. */
async function partsOf(db: Database, parts: number) {
  const [accountId] = await addWaitingTasks(db, 1, 0);
  await createTask(db, {
    accountId: accountId!,
    interface: 'v1',
    type: 'BATCH_FACE_SWAP',
    lane: 'long',
    parameters: {},
    work: { kind: 'swap-batch', items: [], restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
    costCredits: 1,
  });
  const claimer = new Claimer(db.pool, LEASE_MS);
  const { id, leaseToken } = await nextTask(claimer, 'long');
  await createParts(
    db,
    { taskId: id, leaseToken },
    {
      step: 'item',
      lane: 'long',
      engine: 'bench',
      parts: Array.from({ length: parts }, (_, position) => ({
        position,
        work: {},
        shareBefore: position / parts,
      })),
    },
  );
  claimer.partsMayWait('long');
  const claimed: ClaimedPart[] = [];
  return {
    async claim(): Promise<void> {
      const next = await claimer.next({
        taskLanes: ['long'],
        partLanes: ['long'],
        engines: ['bench'],
        networks: [],
      });
      if (next?.kind !== 'part') throw new Error('the parts ran out');
      claimed.push(next.part);
    },
    async finish(n: number): Promise<void> {
      await finishPart(db, claimed[n]!, { status: 'DONE', result: { n } });
    },
  };
}

/**
 * Returns functions for the steps of tasks of new accounts, in this order. `n` numbers the task.
 */
async function requestsOf(db: Database, accounts: number) {
  const accountIds = await addWaitingTasks(db, accounts, 0);
  const accountOf = (n: number): string => accountIds[n % accountIds.length]!;
  const created: string[] = [];
  const claimed: ClaimedTask[] = [];
  const claimer = new Claimer(db.pool, LEASE_MS);
  return {
    async create(n: number): Promise<void> {
      const { task } = await createTask(db, {
        accountId: accountOf(n),
        interface: 'ai-tasks',
        type: 'IMAGE_SWAP',
        lane: 'long',
        parameters: {},
        work: { kind: 'detect-faces', images: [] },
        costCredits: 1,
      });
      created[n] = task!.id;
    },
    async poll(n: number): Promise<void> {
      const kind = { interface: 'ai-tasks', type: 'IMAGE_SWAP' } as const;
      await getTask(db, { accountId: accountOf(n), taskId: created[n]!, ...kind });
    },
    async claim(): Promise<void> {
      claimed.push(await nextTask(claimer, 'long'));
    },
    async heartbeat(n: number): Promise<void> {
      const { id, leaseToken } = claimed[n]!;
      await heartbeat(db, { taskId: id, leaseToken, leaseMs: LEASE_MS, progress: 0.5 });
    },
    async finish(n: number): Promise<void> {
      const { id, leaseToken } = claimed[n]!;
      const outcome = { status: 'COMPLETED', result: { outputs: [], failures: [] } } as const;
      await finishTask(db, { taskId: id, leaseToken }, outcome, { inputRetentionMs: 0 });
    },
    async claimNothing(): Promise<void> {
      const found = await claimer.next({
        taskLanes: ['long'],
        partLanes: ['long'],
        engines: ['any'],
        networks: [],
      });
      if (found !== null) throw new Error('something waits in a lane that should be empty');
    },
  };
}

/** Claims a task in the same way as a slot of a worker, which can also claim a part of a task. */
async function nextTask(claimer: Claimer, lane: Lane): Promise<ClaimedTask> {
  const claimed = await claimer.next({
    taskLanes: [lane],
    partLanes: [lane],
    engines: ['any'],
    networks: [],
  });
  if (claimed?.kind !== 'task') throw new Error('the queue ran empty');
  return claimed.task;
}

/** Runs the requests, numbered from 0. @returns requests per second */
async function perSecond(clients: number, run: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < REQUESTS) await run(next++);
    }),
  );
  return Math.round((REQUESTS / (performance.now() - startedAt)) * 1000);
}

const count = (n: number): string => n.toLocaleString('en');
