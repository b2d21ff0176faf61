import type { Plan } from '@guise/contract/plans.ts';
import { distribution } from '../report/figures.ts';
import { type Arrival, burst, orderOf, poisson, together } from './sim/arrivals.ts';
import type { Inputs } from './sim/inputs.ts';
import { Random } from './sim/random.ts';
import type { SimTask } from './sim/sim-task.ts';
import { type Installation, type Outcome, simulate } from './sim/simulate.ts';

const SEED = 19;
/** Machine of the questions: one worker with as many slots as it has by default. */
const MACHINE = { coresAHost: 2, workersAHost: 1, slots: 3 };
/** Time of one request to a bucket, in seconds: an assumption, as none can be measured here. */
const BUCKET_SECONDS = 0.02;
/** Time between two polls of a client, in seconds: an assumption. */
const POLL_SECONDS = 1;

/** Machines of which the throughput is asked. */
export const MACHINE_COUNTS = [1, 2, 5, 10, 20, 35, 50, 70, 100];
/** Cores of the database's machine. */
export const DATABASE_CORES = [2, 4, 8];
/** Photos offered, over what the machines' cores can do. */
const OVERLOAD = 1.15;
const THROUGHPUT_SECONDS = 12;
/** Time at the beginning that does not count. */
const FILLING_SECONDS = 4;

/** Loads by photos that come beside films, as shares of what all cores can do. */
export const LOADS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const LOADED_MACHINES = 10;
const LOAD_SECONDS = 120;
/** Accounts that post photos, of each plan. */
const PHOTO_ACCOUNTS = 20;
/** Accounts that post films, and how many each posts at once. */
const [FILM_ACCOUNTS, FILMS_EACH] = [5, 8];

/** Machines on which a film of ten minutes is timed. */
const FILM_MACHINES = [1, 2, 4, 8];
const FILM_SECONDS = 600;
const FILM_LIMIT_SECONDS = 3600;

/** Photos that one account posts at once, beside others that go on. */
const BURST = 1000;

const BIG_DATABASE = 8;

/** Finished photos a second of some machines. */
export interface Throughput {
  readonly machines: number;
  readonly databaseCores: number;
  readonly perSecond: number;
  /** Shares that were busy. */
  readonly coresBusy: number;
  readonly databaseBusy: number;
}

/** Waits of photos, from creation to claim, in seconds. */
export interface Waits {
  readonly load: number;
  readonly p50: number;
  readonly p95: number;
}

/** Length of a film of ten minutes on some machines, in seconds. */
export interface FilmLength {
  readonly machines: number;
  readonly seconds: number;
  readonly overOnePass: number;
}

function installationOf(hosts: number, databaseCores: number): Installation {
  return { ...MACHINE, hosts, databaseCores, storeSeconds: BUCKET_SECONDS };
}

/** Simulates photos that are more than the machines can do. */
export function throughputOf(inputs: Inputs, machines: number, databaseCores: number): Throughput {
  const accounts = accountsOf(PHOTO_ACCOUNTS);
  const perSecond = OVERLOAD * mostPhotos(inputs, machines);
  const traffic = { perSecond, accounts: [...accounts.keys()], order: orderOf('photo') };
  const outcome = run(inputs, {
    installation: installationOf(machines, databaseCores),
    accounts,
    arrivals: poisson(new Random(SEED), traffic, THROUGHPUT_SECONDS),
    seconds: THROUGHPUT_SECONDS,
  });
  const done = outcome.tasks.filter(({ finishedAt }) => (finishedAt ?? 0) > FILLING_SECONDS).length;
  const { coresBusy, databaseBusy } = outcome;
  const finished = done / (THROUGHPUT_SECONDS - FILLING_SECONDS);
  return { machines, databaseCores, perSecond: finished, coresBusy, databaseBusy };
}

/** Simulates photos of many accounts beside a few whose films could keep all machines busy. */
export function waitsBesideFilms(inputs: Inputs, load: number, hasFilms: boolean): Waits {
  const photoAccounts = accountsOf(PHOTO_ACCOUNTS);
  const films = Array.from({ length: FILM_ACCOUNTS }, (_, k) =>
    burst(0, photoAccounts.length + k, orderOf('film', FILM_SECONDS), FILMS_EACH),
  );
  const traffic = {
    perSecond: load * mostPhotos(inputs, LOADED_MACHINES),
    accounts: [...photoAccounts.keys()],
    order: orderOf('photo'),
  };
  const { tasks } = run(inputs, {
    installation: installationOf(LOADED_MACHINES, BIG_DATABASE),
    accounts: [...photoAccounts, ...Array.from({ length: FILM_ACCOUNTS }, (): Plan => 'enterprise')],
    arrivals: together(poisson(new Random(SEED), traffic, LOAD_SECONDS), ...(hasFilms ? films : [])),
    seconds: LOAD_SECONDS,
  });
  return { load, ...waitsOf(tasks, LOAD_SECONDS) };
}

/** Simulates photos at half of what the machines can do, while one account posts many at once. */
export function waitsBesideBurst(inputs: Inputs, hasBurst: boolean): Waits {
  const accounts = accountsOf(PHOTO_ACCOUNTS);
  const load = 0.5;
  const perSecond = load * mostPhotos(inputs, LOADED_MACHINES);
  const traffic = { perSecond, accounts: [...accounts.keys()], order: orderOf('photo') };
  const { tasks } = run(inputs, {
    installation: installationOf(LOADED_MACHINES, BIG_DATABASE),
    accounts: [...accounts, 'pro'],
    arrivals: together(
      poisson(new Random(SEED), traffic, LOAD_SECONDS),
      burst(LOAD_SECONDS / 4, accounts.length, orderOf('photo'), hasBurst ? BURST : 0),
    ),
    seconds: LOAD_SECONDS,
  });
  const others = tasks.filter(({ account }) => account !== accounts.length);
  return { load, ...waitsOf(others, LOAD_SECONDS) };
}

/** Simulates one film of ten minutes on machines that have nothing else to do. */
export function filmLengths(inputs: Inputs): FilmLength[] {
  const lengthOf = (machines: number, cutsFilms: boolean): number => {
    const { tasks } = run(inputs, {
      installation: installationOf(machines, BIG_DATABASE),
      accounts: ['pro'],
      arrivals: burst(0, 0, orderOf('film', FILM_SECONDS), 1),
      seconds: FILM_LIMIT_SECONDS,
      cutsFilms,
    });
    return tasks[0]!.finishedAt! - tasks[0]!.createdAt;
  };
  const onePass = lengthOf(1, false);
  return FILM_MACHINES.map((machines) => {
    const seconds = lengthOf(machines, true);
    return { machines, seconds, overOnePass: seconds / onePass };
  });
}

/** Returns the photos a second that the cores of so many machines can do. */
function mostPhotos(inputs: Inputs, machines: number): number {
  const { engine, worker } = inputs.photo;
  const mean = engine.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / engine.length;
  return (machines * MACHINE.coresAHost) / (mean + worker);
}

/** Summarises the waits of photos that were claimed, and of those that still wait at the end. */
function waitsOf(tasks: readonly SimTask[], endSeconds: number): { p50: number; p95: number } {
  return distribution(
    tasks
      .filter(({ order }) => order.kind === 'photo')
      .map(({ createdAt, startedAt }) => (startedAt ?? endSeconds) - createdAt),
  );
}

/** Makes so many accounts of each plan. */
function accountsOf(each: number): Plan[] {
  return (['free', 'pro', 'enterprise'] as const).flatMap((plan) =>
    Array.from({ length: each }, (): Plan => plan),
  );
}

interface Run {
  readonly installation: Installation;
  readonly accounts: readonly Plan[];
  readonly arrivals: readonly Arrival[];
  readonly seconds: number;
  readonly cutsFilms?: boolean;
}

function run(inputs: Inputs, { cutsFilms = true, ...scenario }: Run): Outcome {
  return simulate(inputs, { seed: SEED, pollSeconds: POLL_SECONDS, cutsFilms, ...scenario });
}
