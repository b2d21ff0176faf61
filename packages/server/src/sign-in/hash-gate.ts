import { AppError } from '@guise/contract/errors.ts';

/**
 * Largest number of hashes that run at once: half of libuv's four threads, so that files can still
 * be read.
 */
export const MAX_RUNNING_HASHES = 2;

/** Largest number of waiting hashes of one kind of visitor: about one second of work. */
export const MAX_WAITING_HASHES = 16;

/** Time after which a refused sign-in may be tried again. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Kind of visitor for whom a hash is computed. `known`: signed in, with a mailed link, or at a
 * place of an earlier sign-in.
 */
export type HashAsker = 'known' | 'stranger';

/**
 * Limits how many password hashes run at once. Known visitors have their own queue, which is served
 * first.
 */
export class HashGate {
  #runningCount = 0;
  readonly #waiting: Record<HashAsker, (() => void)[]> = { known: [], stranger: [] };

  /**
   * Runs `work` when it has its turn. @throws AppError RATE_LIMITED if the queue is full; what
   * `work` throws.
   */
  async run<T>(asker: HashAsker, work: () => Promise<T>): Promise<T> {
    if (this.#runningCount < MAX_RUNNING_HASHES) this.#runningCount += 1;
    else await this.#wait(asker);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #wait(asker: HashAsker): Promise<void> {
    const queue = this.#waiting[asker];
    if (queue.length >= MAX_WAITING_HASHES) {
      throw new AppError(
        'RATE_LIMITED',
        `Too many sign-ins at once; try again in ${RETRY_AFTER_SECONDS} seconds.`,
        {
          resetSeconds: RETRY_AFTER_SECONDS,
        },
      );
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    return promise;
  }

  /** Gives the place to the next waiting hash at once, so that a new one cannot take it first. */
  #handOn(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
    if (next === undefined) this.#runningCount -= 1;
    else next();
  }
}
