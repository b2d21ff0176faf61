import { TaskFailure } from '@guise/contract/errors.ts';
import type { BatchRun, OpenItem } from './batch-run.ts';
import { fetchTarget } from './fetch-target.ts';

/** Fetches that run at once: a slow server delays nobody, and a fast one is not flooded. */
const MAX_PARALLEL_FETCHES = 6;

/** Targets that are fetched or on their way but not yet swapped, which take room on the disk. */
const MAX_TARGETS_AHEAD = 12;

/** Returns whether the item's target is given by its URL. */
export function isRemote({ target }: OpenItem): boolean {
  return 'url' in target;
}

/**
 * Fetches the targets of a batch that are given by URL while others are swapped, a few at a time
 * and not too far ahead.
 */
export class TargetFetches {
  readonly #batch: BatchRun;
  readonly #unfetched: OpenItem[];
  readonly #waiting: OpenItem[];
  readonly #onError: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  /** Aborted when the attempt ends early, so that it does not wait for servers elsewhere. */
  readonly #stopped = new AbortController();
  /** Aborted when the batch's total time for fetching is spent; remaining fetches then fail. */
  readonly #budgetSpent = new AbortController();
  readonly #signal: AbortSignal;
  #budgetMs: number;

  /**
   * Keeps the targets still to fetch.
   * @param waiting items ready to be swapped; fetched ones are added
   * @param onError gets failures of the task; those of an item go to the batch
   */
  constructor(batch: BatchRun, waiting: OpenItem[], onError: (error: unknown) => void) {
    this.#batch = batch;
    this.#unfetched = batch.open.filter(isRemote);
    this.#waiting = waiting;
    this.#onError = onError;
    this.#signal = AbortSignal.any([batch.taskRun.signal, this.#stopped.signal]);
    this.#budgetMs = batch.options.settings.serverPatienceMs;
  }

  /** Running fetches; they never reject. */
  get running(): ReadonlySet<Promise<void>> {
    return this.#running;
  }

  /**
   * Starts as many fetches as may run now; called whenever an item was taken from those that wait.
   */
  start(): void {
    const isAhead = (): number => this.#running.size + this.#waiting.filter(isRemote).length;
    while (
      !this.#signal.aborted &&
      this.#running.size < MAX_PARALLEL_FETCHES &&
      isAhead() < MAX_TARGETS_AHEAD
    ) {
      const item = this.#unfetched.shift();
      if (item === undefined) return;
      const run = this.#fetch(item)
        .catch(this.#onError)
        .finally(() => {
          this.#running.delete(run);
          this.start();
        });
      this.#running.add(run);
    }
  }

  /**
   * Waits until a fetch ends, when there is nothing else to do. This wait counts against the
   * batch's total time.
   */
  async untilOneEnds(): Promise<void> {
    const since = performance.now();
    const timer = setTimeout(() => this.#budgetSpent.abort(), Math.max(0, this.#budgetMs));
    await Promise.race(this.#running);
    clearTimeout(timer);
    this.#budgetMs -= performance.now() - since;
  }

  /** Ends the running fetches and starts no other. */
  stop(): void {
    this.#stopped.abort();
  }

  async #fetch(item: OpenItem): Promise<void> {
    const { target } = item;
    if (!('url' in target)) return;
    const { options } = this.#batch;
    try {
      const inTime = AbortSignal.any([this.#signal, this.#budgetSpent.signal]);
      item.fetched = await fetchTarget(target, options, inTime);
      this.#waiting.push(item);
      // Other slots may have found nothing to do.
      options.work.wake('long');
    } catch (error) {
      this.#signal.throwIfAborted();
      await this.#batch.failed(item, this.#budgetSpent.signal.aborted ? tooSlow(target.field) : error);
    }
  }
}

function tooSlow(field: string): TaskFailure {
  const message = `${field} could not be fetched: the servers of this batch take too long together.`;
  return new TaskFailure('MEDIA_UNREACHABLE', message);
}
