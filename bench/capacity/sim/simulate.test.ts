import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Arrival, burst, orderOf, poisson, together } from './arrivals.ts';
import type { Inputs, Work } from './inputs.ts';
import { Random } from './random.ts';
import { type Installation, type Outcome, simulate } from './simulate.ts';

const STATEMENT_SECONDS = 1e-4;
const work = (cpuSeconds: number, cores = 1): Work => ({ cpuSeconds, cores });
const still = { engine: [work(0.05)], api: 0.002, worker: 0.002 };
/** Round numbers, so that what comes of them can be said beforehand. */
const inputs: Inputs = {
  photo: still,
  item: still,
  database: {
    create: STATEMENT_SECONDS,
    poll: STATEMENT_SECONDS,
    claim: STATEMENT_SECONDS,
    claimedTask: STATEMENT_SECONDS,
    emptyClaim: STATEMENT_SECONDS,
    claimedPart: STATEMENT_SECONDS,
    finishPart: STATEMENT_SECONDS,
    heartbeat: STATEMENT_SECONDS,
    finish: STATEMENT_SECONDS,
  },
  film: {
    onePass: work(0.4),
    steps: { cut: work(0.002), study: work(0.15), choose: work(0.003), draw: work(0.28), join: work(0.002) },
  },
};
const installation: Installation = {
  hosts: 4,
  coresAHost: 2,
  workersAHost: 1,
  slots: 3,
  databaseCores: 2,
  storeSeconds: 0.01,
};

function run(
  arrivals: readonly Arrival[],
  seconds: number,
  more: Partial<Installation> = {},
  cutsFilms = true,
): Outcome {
  return simulate(inputs, {
    seed: 1,
    installation: { ...installation, ...more },
    accounts: ['free', 'pro', 'enterprise', 'enterprise'],
    arrivals,
    pollSeconds: 1,
    cutsFilms,
    seconds,
  });
}

const photo = orderOf('photo');

/** Time that the first task took. */
function lengthOf({ tasks }: Outcome): number {
  return tasks[0]!.finishedAt! - tasks[0]!.createdAt;
}

test('the same seed gives the same outcome, to the last task', () => {
  const arrivals = together(
    poisson(new Random(5), { perSecond: 80, accounts: [0, 1, 2], order: photo }, 20),
    burst(3, 1, orderOf('batch', 19), 5),
    burst(1, 3, orderOf('film', 120), 1),
  );
  const once = run(arrivals, 60);
  assert.deepEqual(run(arrivals, 60), once);
  assert.equal(once.tasks.length, arrivals.length);
  assert.ok(
    once.tasks.every(({ finishedAt }) => finishedAt !== null),
    'nothing is lost',
  );
});

test('photos beyond what the cores can do are done as fast as the cores can', () => {
  const seconds = 30;
  const { tasks, coresBusy } = run(burst(0, 0, photo, 5000), seconds, { storeSeconds: 0 });
  const done = tasks.filter(({ finishedAt }) => finishedAt !== null).length;
  const most = (installation.hosts * installation.coresAHost * seconds) / (0.05 + 0.002);
  assert.ok(done <= most && done > 0.93 * most, `${done} of ${most}`);
  assert.ok(coresBusy > 0.93 && coresBusy <= 1);
});

test('accounts that all want more than there is get shares by the weight of their plan', () => {
  const arrivals = [0, 1, 2].flatMap((account) => burst(0, account, photo, 3000));
  const { tasks } = run(arrivals, 20);
  const done = [0, 1, 2].map(
    (account) => tasks.filter((task) => task.account === account && task.finishedAt !== null).length,
  );
  const all = done.reduce((sum, count) => sum + count, 0);
  assert.ok(all < 3000);
  for (const [account, weight] of [1, 2, 4].entries())
    assert.ok(Math.abs(done[account]! / all - weight / 7) < 0.02, `${done}`);
});

test('photos do not wait for films: one slot is kept for them', () => {
  const films = burst(0, 3, orderOf('film', 600), 8);
  const photos = poisson(new Random(2), { perSecond: 5, accounts: [0, 1], order: photo }, 60);
  const { tasks } = run(together(films, photos), 70);
  const waits = tasks.flatMap(({ order, createdAt, startedAt }) =>
    order.kind === 'photo' ? [startedAt! - createdAt] : [],
  );
  assert.equal(waits.length, photos.length);
  assert.ok(Math.max(...waits) < 1);
});

test('a film in segments keeps all machines busy, and takes no longer than its longest way', () => {
  const film = burst(0, 3, orderOf('film', 600), 1);
  const onePass = lengthOf(run(film, 400, {}, false));
  assert.ok(Math.abs(onePass - 240) < 2, 'one core works through all of it');
  const segments = lengthOf(run(film, 400));
  // 8 slots: 20 studies of 4.5 s and 20 drawings of 8.4 s take three rounds each, if none helps.
  const rounds = 3 * (4.5 + 8.4) + 4.2;
  assert.ok(segments >= (20 * (4.5 + 8.4)) / 8 && segments < rounds + 3, `${segments}, ${rounds}`);
  const one = lengthOf(run(film, 400, { hosts: 1 }));
  assert.ok(one > 130 && one < 150, 'two cores hold no more');
});

test('a database of its own is the limit where statements are dear', () => {
  const { tasks, databaseBusy } = run(burst(0, 0, photo, 3000), 5, { hosts: 40, databaseCores: 1 });
  const done = tasks.filter(({ finishedAt }) => finishedAt !== null).length;
  assert.ok(databaseBusy > 0.5, String(databaseBusy));
  assert.ok(done > 1000, String(done));
});
