/** Who wants a turn, and until when. */
export interface Asker {
  /** The account: one alone never holds all turns. */
  readonly accountId: string;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly accountId: string;
  readonly come: () => void;
}

/**
 * Limits how many pieces of work run at once, and how many of one account; the others wait, in the order they came.
 */
export class Turns {
  readonly #atATime: number;
  readonly #mostOfOne: number;
  /** By account; none is 0. */
  readonly #running = new Map<string, number>();
  #runningCount = 0;
  readonly #waiting: Waiting[] = [];

  constructor(atATime: number, mostOfOne = Math.max(1, atATime - 1)) {
    this.#atATime = atATime;
    this.#mostOfOne = mostOfOne;
  }

  /** @throws the signal's reason where it is aborted before the turn came; what `work` throws. */
  async take<T>(work: () => Promise<T>, { accountId, signal }: Asker): Promise<T> {
    signal.throwIfAborted();
    if (this.#mayRun(accountId)) this.#begin(accountId);
    else await this.#wait(accountId, signal);
    try {
      return await work();
    } finally {
      this.#end(accountId);
    }
  }

  #mayRun(accountId: string): boolean {
    return this.#runningCount < this.#atATime && (this.#running.get(accountId) ?? 0) < this.#mostOfOne;
  }

  #begin(accountId: string): void {
    this.#runningCount += 1;
    this.#running.set(accountId, (this.#running.get(accountId) ?? 0) + 1);
  }

  #end(accountId: string): void {
    this.#runningCount -= 1;
    const left = this.#running.get(accountId)! - 1;
    if (left > 0) this.#running.set(accountId, left);
    else this.#running.delete(accountId);
    // A turn is handed on, so that nobody who comes meanwhile takes it.
    const next = this.#waiting.findIndex((waiting) => this.#mayRun(waiting.accountId));
    if (next === -1) return;
    const [waiting] = this.#waiting.splice(next, 1);
    this.#begin(waiting!.accountId);
    waiting!.come();
  }

  /** Resolves when the turn has begun. */
  #wait(accountId: string, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      turn.reject(signal.reason);
    };
    const waiting: Waiting = {
      accountId,
      come: () => {
        signal.removeEventListener('abort', leave);
        turn.resolve();
      },
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    return turn.promise;
  }
}
