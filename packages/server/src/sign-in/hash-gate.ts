import { AppError } from '@guise/contract/errors.ts';

/** Hashes that run at once: half of libuv's four threads, so that files are read beside them. */
export const MOST_HASHES_AT_ONCE = 2;
/** Hashes of one kind of asker that wait at once: about a second of work. */
export const LONGEST_HASH_QUEUE = 16;
const RETRY_SECONDS = 2;

/** Who asks for a hash; `known`: signed in, with a mailed link, or where they signed in before. */
export type HashAsker = 'known' | 'stranger';

/** Password hashing, a few at a time: known askers go first, and have a queue of their own. */
export class HashGate {
  #runningCount = 0;
  readonly #waiting: Record<HashAsker, (() => void)[]> = { known: [], stranger: [] };

  /** @throws AppError RATE_LIMITED where the asker's queue is full; what `work` throws. */
  async run<T>(asker: HashAsker, work: () => Promise<T>): Promise<T> {
    if (this.#runningCount < MOST_HASHES_AT_ONCE) this.#runningCount += 1;
    else await this.#wait(asker);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #wait(asker: HashAsker): Promise<void> {
    const queue = this.#waiting[asker];
    if (queue.length >= LONGEST_HASH_QUEUE) {
      throw new AppError(
        'RATE_LIMITED',
        `Too many sign-ins at once; try again in ${RETRY_SECONDS} seconds.`,
        {
          resetSeconds: RETRY_SECONDS,
        },
      );
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    return promise;
  }

  /** Gives the place to the next in line, so that nobody who comes meanwhile takes it. */
  #handOn(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
    if (next === undefined) this.#runningCount -= 1;
    else next();
  }
}
