import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FilmStep } from '@guise/server/tasks/parts/part.ts';

/** CPU time of one job of an engine, in seconds. */
export interface JobTime {
  readonly cpu: number;
  /** Time of the engine's main thread: with any number of cores the job takes no less. */
  readonly main: number;
}

/** What one photo, or one item of a batch, takes. */
export interface StillTimes {
  /** Each of many runs of the engine. */
  readonly engine: readonly JobTime[];
  /** CPU time of the API, the worker and PostgreSQL for one, mean of many, in seconds. */
  readonly api: number;
  readonly worker: number;
  readonly database: number;
}

export interface FilmTimes {
  /** Length of the film that was measured, in seconds. */
  readonly seconds: number;
  readonly size: string;
  readonly onePass: JobTime;
  /** Each job of each step. */
  readonly steps: Readonly<Record<FilmStep, readonly JobTime[]>>;
}

/** CPU time of PostgreSQL for one of each, in ms; see `databaseCosts` of `bench/queue-bench.ts`. */
export type DatabaseCosts = Readonly<Record<string, number>>;

/** What `bench/capacity-runs/measure.ts` writes: times of one machine. */
export interface Measured {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly date: string;
  readonly database: DatabaseCosts;
  readonly photo: StillTimes;
  readonly item: StillTimes;
  readonly film: FilmTimes;
  /** CPU time from the start of an engine to its first job. */
  readonly engineStart: JobTime;
}

/** File of this repository's figures. */
export const MEASURED_FILE = path.join(import.meta.dirname, '../measured.json');

/** Reads figures that were measured before. */
export function readMeasured(): Measured {
  return JSON.parse(readFileSync(MEASURED_FILE, 'utf8')) as Measured;
}
