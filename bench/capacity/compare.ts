import { distribution } from '../report/figures.ts';
import type { Replay, Replayed } from './replayed.ts';
import { type Arrival, orderOf } from './sim/arrivals.ts';
import type { Inputs } from './sim/inputs.ts';
import { simulate } from './sim/simulate.ts';

const SEED = 19;
/** Time of one request to the store, a folder of the same machine. */
const FOLDER_SECONDS = 0.0005;
/** Time after the last arrival within which all is done. */
const REST_SECONDS = 3600;

/** What a trace came to; times in seconds. */
export interface Came {
  /** Tasks and items finished a second, from the first arrival to the last end. */
  readonly perSecond: number;
  /** Waits of photos from creation to claim. */
  readonly p50: number;
  readonly p95: number;
}

/** One replay beside its simulation. */
export interface Compared {
  readonly workers: number;
  readonly others: number;
  readonly real: Came;
  readonly simulated: Came;
}

interface Timed {
  readonly kind: string;
  readonly size: number;
  readonly created: number;
  readonly started: number;
  readonly finished: number;
}

/** Simulates the traces that were replayed, on the machine of the replays. */
export function compare(inputs: Inputs, { accounts, machine, replays }: Replayed): Compared[] {
  return replays.map((replay) => ({
    workers: replay.workers,
    others: replay.others,
    real: summarise(replay.tasks),
    simulated: summarise(simulateReplay(inputs, accounts, machine.cores, replay)),
  }));
}

function simulateReplay(
  inputs: Inputs,
  accounts: Replayed['accounts'],
  cores: number,
  { workers, slots, others, tasks }: Replay,
): Timed[] {
  const arrivals = tasks.map(({ kind, size, account, created }): Arrival => {
    return { atSeconds: created, account, order: orderOf(kind, size) };
  });
  const { tasks: done } = simulate(inputs, {
    seed: SEED,
    installation: {
      hosts: 1,
      coresAHost: cores,
      workersAHost: workers,
      slots,
      databaseCores: null,
      storeSeconds: FOLDER_SECONDS,
      others,
    },
    accounts,
    arrivals,
    pollSeconds: null,
    cutsFilms: true,
    seconds: arrivals.at(-1)!.atSeconds + REST_SECONDS,
  });
  return done.map(({ order, createdAt, startedAt, finishedAt }) => ({
    kind: order.kind,
    size: order.size,
    created: createdAt,
    started: startedAt!,
    finished: finishedAt!,
  }));
}

function summarise(tasks: readonly Timed[]): Came {
  const pictures = tasks.reduce((sum, { size }) => sum + size, 0);
  const end = Math.max(...tasks.map(({ finished }) => finished));
  const photos = tasks.filter(({ kind }) => kind === 'photo');
  const waits = distribution(photos.map(({ created, started }) => started - created));
  return { perSecond: pictures / end, ...waits };
}
