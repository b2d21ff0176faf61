import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plan } from '@guise/contract/plans.ts';

/** A task of a replay; times in seconds since the first was created. */
export interface ReplayedTask {
  readonly kind: 'photo' | 'batch';
  /** Items of a batch, 1 for a photo. */
  readonly size: number;
  /** Number of its account, from 0. */
  readonly account: number;
  readonly created: number;
  /** Time of its claim. */
  readonly started: number;
  readonly finished: number;
}

/** One trace of arrivals, given to a real service. */
export interface Replay {
  /** Worker processes. */
  readonly workers: number;
  /** Slots of each, the one for short work included. */
  readonly slots: number;
  /** Threads of other programs that were ready to run, mean over the replay. */
  readonly others: number;
  /** Time on a core and waiting for one, over time on a core, of the service's own threads. */
  readonly slowdown: number;
  readonly tasks: readonly ReplayedTask[];
}

/** What `bench/capacity-runs/replay.ts` writes. */
export interface Replayed {
  readonly machine: { readonly cpu: string; readonly cores: number };
  readonly date: string;
  readonly accounts: readonly Plan[];
  readonly replays: readonly Replay[];
}

/** File of this repository's replays. */
export const REPLAYED_FILE = path.join(import.meta.dirname, 'replayed.json');

/** Reads replays that were made before. */
export function readReplayed(): Replayed {
  return JSON.parse(readFileSync(REPLAYED_FILE, 'utf8')) as Replayed;
}
