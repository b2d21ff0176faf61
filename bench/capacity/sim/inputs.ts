import type { FilmStep } from '@guise/server/tasks/parts/part.ts';
import type { JobTime, Measured, StillTimes } from './measured.ts';

/** Statements of the database, by what they are for. */
export type Statement =
  | 'create'
  | 'poll'
  | 'claim'
  | 'claimedTask'
  | 'emptyClaim'
  | 'claimedPart'
  | 'finishPart'
  | 'heartbeat'
  | 'finish';

/** What the simulation is fed with: CPU times in seconds. */
export interface Inputs {
  /** Time of the database for one of each. */
  readonly database: Readonly<Record<Statement, number>>;
  readonly photo: StillInputs;
  readonly item: StillInputs;
  readonly film: FilmInputs;
}

/** What one photo, or one item of a batch, takes. */
export interface StillInputs extends Pick<StillTimes, 'api' | 'worker'> {
  /** Each of many runs of the engine. */
  readonly engine: readonly Work[];
}

/** Job of an engine. */
export interface Work {
  readonly cpuSeconds: number;
  /** Cores that it keeps busy where it is alone. */
  readonly cores: number;
}

export interface FilmInputs {
  /** Work of a film in one pass, for each second of it. */
  readonly onePass: Work;
  /** Work of a step's parts together, for each second of the film. */
  readonly steps: Readonly<Record<FilmStep, Work>>;
}

/** Length of a segment, as `media/film/cut-film.ts` has it. */
export const SEGMENT_SECONDS = 30;
/** Tasks of the claims whose cost is taken apart into a claim's and a task's. */
const MANY = 4;
const MILLISECONDS = 1000;

/** Returns what the simulation needs of measured figures. */
export function inputsOf({ database, photo, item, film }: Measured): Inputs {
  const cost = (what: string): number => {
    const ms = database[what];
    if (ms === undefined) throw new Error(`The database's "${what}" was not measured.`);
    return ms / MILLISECONDS;
  };
  const inOnes = cost('a task in claims of one');
  const inFours = cost('a task in claims of up to 4');
  // A claim of n tasks costs one claim and n tasks.
  const claim = (Math.max(0, inOnes - inFours) * MANY) / (MANY - 1);
  const { steps, seconds } = film;
  return {
    photo: stillOf(photo),
    item: stillOf(item),
    database: {
      create: cost('a create'),
      poll: cost('a poll'),
      claim,
      claimedTask: inOnes - claim,
      emptyClaim: cost('a claim that finds nothing'),
      claimedPart: Math.max(0, cost('a part claimed') - claim),
      finishPart: cost('a part finished'),
      heartbeat: cost('a heartbeat'),
      finish: cost('a finish'),
    },
    film: {
      onePass: workOf([film.onePass], seconds),
      steps: {
        cut: workOf(steps.cut, seconds),
        study: workOf(steps.study, seconds),
        choose: workOf(steps.choose, seconds),
        draw: workOf(steps.draw, seconds),
        join: workOf(steps.join, seconds),
      },
    },
  };
}

function stillOf({ engine, api, worker }: StillTimes): StillInputs {
  return { engine: engine.map((job) => workOf([job], 1)), api, worker };
}

/** Adds up jobs, for each second of the film. */
function workOf(jobs: readonly JobTime[], seconds: number): Work {
  const cpu = jobs.reduce((sum, job) => sum + job.cpu, 0);
  const main = jobs.reduce((sum, job) => sum + job.main, 0);
  return { cpuSeconds: cpu / seconds, cores: main > 0 ? Math.max(1, cpu / main) : 1 };
}
