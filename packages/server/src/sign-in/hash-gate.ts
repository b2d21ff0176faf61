import { AppError } from '@guise/contract/errors.ts';

/**
 * Most hashes that run at once: half of libuv's four threads, so that files can be read meanwhile.
 */
export const MAX_RUNNING_HASHES = 2;

/** Most hashes of one kind of visitor that wait: about a second of work. */
export const MAX_WAITING_HASHES = 16;

/** Wait that a refused sign-in is asked for. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Kind of visitor that a hash is made for; `known`: signed in, with a mailed link, or at a place of
 * an earlier sign-in.
 */
export type HashAsker = 'known' | 'stranger';

/**
 * Limits how many password hashes run at once; known visitors go first, and have a queue of their
 * own.
 */
export class HashGate {
  #runningCount = 0;
  readonly #waiting: Record<HashAsker, (() => void)[]> = { known: [], stranger: [] };

  /**
   * Runs `work` once its turn has come. @throws AppError RATE_LIMITED if the queue is full; what
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

  /** Gives the place to the next in line at once, so that a newcomer cannot take it first. */
  #handOn(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
    if (next === undefined) this.#runningCount -= 1;
    else next();
  }
}
