import { TaskFailure } from '@guise/contract/errors.ts';
import { createParts } from '../../tasks/parts/create-parts.ts';
import { dropStep } from '../../tasks/parts/drop-step.ts';
import { FILM_STEPS, type FilmStep, type FinishedPart } from '../../tasks/parts/part.ts';
import { readPartProgress, readStepEngine } from '../../tasks/parts/read-parts.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from '../../db/retry-while-away.ts';
import type { PartWatch } from '../work/part-news.ts';
import { TaskStopped } from '../work/task-aborts.ts';
import type { TaskRun } from '../work/task-run.ts';
import { waitForParts } from '../work/wait-for-parts.ts';
import type { LeaderOptions } from '../work/worker-options.ts';
import type { FilmPartProgress } from './film-work.ts';

/** Share of a film's work that is done before each step. */
const SHARE_BEFORE: Record<FilmStep | 'end', number> = {
  cut: 0,
  study: 0.01,
  choose: 0.3,
  draw: 0.31,
  join: 0.98,
  end: 1,
};
/** Interval at which the progress of the parts is read. */
const PROGRESS_INTERVAL_MS = 1000;

/**
 * Runs the steps of a film one after the other. Each step has parts, which any worker with the same
 * engine may do.
 */
export class FilmSteps implements AsyncDisposable {
  readonly #taskRun: TaskRun;
  readonly #options: LeaderOptions;
  readonly #watch: PartWatch;
  /** Number of frames in the film; null until known. */
  #total: number | null = null;

  private constructor(taskRun: TaskRun, options: LeaderOptions) {
    this.#taskRun = taskRun;
    this.#options = options;
    this.#watch = options.partNews.watch(taskRun.task.id);
  }

  /**
   * Starts a film, or continues the work of a previous leader. Deletes the work of another engine,
   * because one engine must make the whole film.
   * @throws TaskStopped if the task does not belong to this worker any more
   */
  static async begin(taskRun: TaskRun, options: LeaderOptions): Promise<FilmSteps> {
    const { db, engineIdentity } = options;
    const { id: taskId, leaseToken } = taskRun.task;
    const engine = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
      readStepEngine(db, { taskId, step: 'cut' }),
    );
    if (engine !== null && engine !== engineIdentity) {
      // The last step is deleted first, so that after a crash no step is left without the steps
      // before it.
      for (const step of FILM_STEPS.toReversed()) {
        const isLed = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
          dropStep(db, { taskId, leaseToken }, step),
        );
        if (!isLed) throw new TaskStopped('lease-lost');
      }
    }
    return new FilmSteps(taskRun, options);
  }

  /** Sets the number of frames of the film, which may be an estimate. */
  expect(frames: number): void {
    this.#total = frames;
    this.#taskRun.onProgress(0, { done: 0, total: frames });
  }

  /**
   * Creates the parts of a step and waits until all are done.
   * @param works work of each part
   * @returns the result of each part
   * @throws TaskFailure of the first part that failed; TaskStopped; the reason of the task's signal
   */
  async run<T>(step: FilmStep, works: readonly unknown[]): Promise<T[]> {
    const { task, signal } = this.#taskRun;
    const { db, engineIdentity } = this.#options;
    const [from, to] = [SHARE_BEFORE[step], SHARE_BEFORE[stepAfter(step)]];
    const parts = works.map((work, position) => ({
      position,
      work,
      shareBefore: from + ((to - from) * position) / works.length,
    }));
    const lease = { taskId: task.id, leaseToken: task.leaseToken };
    const isLed = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
      createParts(db, lease, { step, lane: task.lane, engine: engineIdentity, parts }),
    );
    if (!isLed) throw new TaskStopped('lease-lost');

    const results: T[] = [];
    const done = new Map<number, FilmPartProgress>();
    const onFinished = (finished: readonly FinishedPart[]): void => {
      for (const part of finished) {
        if (part.status === 'FAILED') throw new TaskFailure(part.code, part.message);
        results[part.position] = part.result as T;
        const { frames = 0 } = part.result as { readonly frames?: number };
        done.set(part.position, { share: 1, frames });
      }
    };
    const looking = setInterval(() => void this.#look(step, works.length, done), PROGRESS_INTERVAL_MS);
    try {
      const open = new Set(works.keys());
      await waitForParts(this.#taskRun, this.#options, { step, open, watch: this.#watch, onFinished });
    } finally {
      clearInterval(looking);
    }
    signal.throwIfAborted();
    this.#taskRun.onProgress(to);
    return results;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { partNews, sharedWork } = this.#options;
    const { id } = this.#taskRun.task;
    partNews.unwatch(id, this.#watch);
    await sharedWork.drop(id);
  }

  /** Shows the client the progress of a step. @param done progress of the finished parts */
  async #look(step: FilmStep, count: number, done: ReadonlyMap<number, FilmPartProgress>): Promise<void> {
    const { task, onProgress } = this.#taskRun;
    try {
      const parts = await readPartProgress(this.#options.relaxedDb, { taskId: task.id, step });
      const running = parts.filter(({ position }) => !done.has(position));
      const known = [...done.values(), ...running.map(({ progress }) => progress as FilmPartProgress)];
      const share = known.reduce((sum, part) => sum + part.share, 0) / count;
      const [from, to] = [SHARE_BEFORE[step], SHARE_BEFORE[stepAfter(step)]];
      const written = known.reduce((sum, { frames = 0 }) => sum + frames, 0);
      const total = this.#total;
      onProgress(
        from + (to - from) * Math.min(1, share),
        step === 'draw' && total !== null ? { done: Math.min(written, total), total } : undefined,
      );
    } catch (error) {
      this.#options.log.warn({ err: error, taskId: task.id }, 'could not read the progress of a long video');
    }
  }
}

function stepAfter(step: FilmStep): FilmStep | 'end' {
  return FILM_STEPS[FILM_STEPS.indexOf(step) + 1] ?? 'end';
}
