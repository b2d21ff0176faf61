import { TaskFailure } from '@guise/contract/errors.ts';
import type { BatchRun, OpenItem } from './batch-run.ts';
import { fetchTarget } from './fetch-target.ts';

/** A server that answers slowly holds nobody up, one that answers fast is not flooded. */
const FETCHES_AT_A_TIME = 6;
/** Fetched or on their way, and not yet swapped: they take room on the disk. */
const MOST_AHEAD = 12;

/** Whether the item's target is given by its URL. */
export function isRemote({ target }: OpenItem): boolean {
  return 'url' in target;
}

/**
 * The targets of a batch that are given by their URL: fetched beside the swapping, a few at a time
 * and not too far ahead.
 */
export class TargetFetches {
  readonly #batch: BatchRun;
  readonly #unfetched: OpenItem[];
  readonly #waiting: OpenItem[];
  readonly #onError: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  /** Where the attempt ends early, nobody waits for servers elsewhere. */
  readonly #stopped = new AbortController();
  /** Enough waited for servers elsewhere: what they have not sent by now fails. */
  readonly #outOfPatience = new AbortController();
  readonly #signal: AbortSignal;
  #patienceMs: number;

  /**
   * @param waiting items to be swapped: gets those that are fetched
   * @param onError told what is wrong with the task; of an item that fails, the batch is
   */
  constructor(batch: BatchRun, waiting: OpenItem[], onError: (error: unknown) => void) {
    this.#batch = batch;
    this.#unfetched = batch.open.filter(isRemote);
    this.#waiting = waiting;
    this.#onError = onError;
    this.#signal = AbortSignal.any([batch.taskRun.signal, this.#stopped.signal]);
    this.#patienceMs = batch.options.settings.serverPatienceMs;
  }

  /** Those that are under way; they never reject. */
  get running(): ReadonlySet<Promise<void>> {
    return this.#running;
  }

  /**
   * To be called whenever an item was taken from those that wait: starts as many fetches as may run
   * now.
   */
  start(): void {
    const isAhead = (): number => this.#running.size + this.#waiting.filter(isRemote).length;
    while (!this.#signal.aborted && this.#running.size < FETCHES_AT_A_TIME && isAhead() < MOST_AHEAD) {
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

  /** For when there is nothing else to do: the servers of a batch have so much time in all. */
  async untilOneEnds(): Promise<void> {
    const since = performance.now();
    const timer = setTimeout(() => this.#outOfPatience.abort(), Math.max(0, this.#patienceMs));
    await Promise.race(this.#running);
    clearTimeout(timer);
    this.#patienceMs -= performance.now() - since;
  }

  /** Starts no other, and lets go of those that run. */
  stop(): void {
    this.#stopped.abort();
  }

  async #fetch(item: OpenItem): Promise<void> {
    const { target } = item;
    if (!('url' in target)) return;
    const { options } = this.#batch;
    try {
      const inTime = AbortSignal.any([this.#signal, this.#outOfPatience.signal]);
      item.fetched = await fetchTarget(target, options, inTime);
      this.#waiting.push(item);
      // Other slots may have found nothing to do.
      options.work.wake('long');
    } catch (error) {
      this.#signal.throwIfAborted();
      await this.#batch.failed(item, this.#outOfPatience.signal.aborted ? tooSlow(target.field) : error);
    }
  }
}

function tooSlow(field: string): TaskFailure {
  const message = `${field} could not be fetched: the servers of this batch take too long together.`;
  return new TaskFailure('MEDIA_UNREACHABLE', message);
}
