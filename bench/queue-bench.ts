import path from 'node:path';
import type { Lane } from '@guise/contract/task.ts';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { migrate } from '@guise/server/db/migrate.ts';
import { createTask } from '@guise/server/tasks/create-task.ts';
import { finishTask } from '@guise/server/tasks/finish-task.ts';
import { getTask } from '@guise/server/tasks/get-task.ts';
import type { ClaimedTask } from '@guise/server/tasks/queue/claim-tasks.ts';
import { Claimer } from '@guise/server/tasks/queue/claimer.ts';
import { type Figure, round } from './figures.ts';
import { addFinishedTasks, addWaitingTasks } from './fill-queue.ts';

const LEASE_MS = 60_000;
const ACCOUNTS = 10_000;
const TASKS_EACH = 4;
const FINISHED = 1_000_000;
const CLAIMERS = 16;
/** Claims, creates, polls and finishes that one figure is made of. */
const ROUNDS = 8000;
/** Requests that are under way at once. */
const CLIENTS = 8;

/**
 * Measures the queue on a PostgreSQL of its own: tasks handed out a second to workers that do
 * nothing with them, each with a connection of its own, and what stands around a claim.
 */
export async function benchQueue(folder: string, say: (what: string) => void): Promise<Figure[]> {
  const server = await openEmbedded(path.join(folder, 'queue'), { role: 'service' });
  const db = openDatabase(server.url, { poolSize: CLIENTS });
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
    figures.push(...(await aroundClaims(db, 'without history')));

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
    figures.push(...(await aroundClaims(db, 'beside 1,000,000 finished')));
    return figures;
  } finally {
    await db.close();
    await server.stop();
  }
}

/** Claims a part of what waits, each claimer with as many slots as it claims for at once. */
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

/** Creates, polls, claims and finishes tasks of a few accounts. */
async function aroundClaims(db: Database, title: string): Promise<Figure[]> {
  const accountIds = await addWaitingTasks(db, CLIENTS, 0);
  const created: string[] = [];
  const creates = await perSecond(async (n) => {
    const { task } = await createTask(db, {
      accountId: accountIds[n % accountIds.length]!,
      interface: 'ai-tasks',
      type: 'IMAGE_SWAP',
      lane: 'long',
      parameters: {},
      work: { kind: 'detect-faces', images: [] },
      costCredits: 1,
    });
    created.push(task!.id);
  });
  const polls = await perSecond(async (n) => {
    const taskId = created[n % created.length]!;
    const accountId = accountIds[n % accountIds.length]!;
    await getTask(db, { accountId, taskId, interface: 'ai-tasks', type: 'IMAGE_SWAP' });
  });
  const claimer = new Claimer(db.pool, LEASE_MS);
  const claimed: ClaimedTask[] = [];
  await perSecond(async () => void claimed.push(await nextTask(claimer, 'long')));
  const finishes = await perSecond(async (n) => {
    const { id, leaseToken } = claimed[n]!;
    const outcome = { status: 'COMPLETED', result: { outputs: [], failures: [] } } as const;
    await finishTask(db, { taskId: id, leaseToken }, outcome, { inputRetentionMs: 0 });
  });
  return [
    { name: `creates a second, ${title}`, value: creates, unit: '/s' },
    { name: `polls a second, ${title}`, value: polls, unit: '/s' },
    { name: `finishes a second, ${title}`, value: finishes, unit: '/s' },
  ];
}

/** Takes a task as a slot does, which would take a part of one, too. */
async function nextTask(claimer: Claimer, lane: Lane): Promise<ClaimedTask> {
  const claimed = await claimer.next({ taskLanes: [lane], partLanes: [lane], engine: 'any' });
  if (claimed?.kind !== 'task') throw new Error('the queue ran empty');
  return claimed.task;
}

async function perSecond(run: (n: number) => Promise<unknown>): Promise<number> {
  const rounds = ROUNDS / 4;
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < rounds) await run(next++);
    }),
  );
  return Math.round((rounds / (performance.now() - startedAt)) * 1000);
}

const count = (n: number): string => n.toLocaleString('en');
