/** Account that waits for work to start, and a signal that ends the wait. */
export interface Requester {
  readonly accountId: string;
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly accountId: string;
  readonly start: () => void;
}

/**
 * Limits how many pieces of work run at once, in total and for each account (by default one less
 * than in total, at least 1). Waiting work starts in the order of arrival; work of an account at
 * its limit is skipped.
 */
export class FairLimiter {
  readonly #maxRunning: number;
  readonly #maxRunningPerAccount: number;
  /** Number of running pieces of work by account. Accounts without any are absent. */
  readonly #runningByAccount = new Map<string, number>();
  #runningCount = 0;
  readonly #waiters: Waiter[] = [];

  constructor(maxRunning: number, maxRunningPerAccount = Math.max(1, maxRunning - 1)) {
    this.#maxRunning = maxRunning;
    this.#maxRunningPerAccount = maxRunningPerAccount;
  }

  /**
   * Runs `work` as soon as the limits allow it.
   * @throws the signal's reason if it is aborted before `work` began; what `work` throws.
   */
  async run<T>(work: () => Promise<T>, { accountId, signal }: Requester): Promise<T> {
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
    return (
      this.#runningCount < this.#maxRunning &&
      (this.#runningByAccount.get(accountId) ?? 0) < this.#maxRunningPerAccount
    );
  }

  #begin(accountId: string): void {
    this.#runningCount += 1;
    this.#runningByAccount.set(accountId, (this.#runningByAccount.get(accountId) ?? 0) + 1);
  }

  #end(accountId: string): void {
    this.#runningCount -= 1;
    const left = this.#runningByAccount.get(accountId)! - 1;
    if (left > 0) this.#runningByAccount.set(accountId, left);
    else this.#runningByAccount.delete(accountId);
    // A waiting piece of work gets the place at once, so that a new one cannot take it first.
    const next = this.#waiters.findIndex((waiter) => this.#mayRun(waiter.accountId));
    if (next === -1) return;
    const [waiter] = this.#waiters.splice(next, 1);
    this.#begin(waiter!.accountId);
    waiter!.start();
  }

  /** Waits until the work may start. When this resolves, the work already counts as running. */
  #wait(accountId: string, signal: AbortSignal): Promise<void> {
    const started = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      started.reject(signal.reason);
    };
    const waiter: Waiter = {
      accountId,
      start: () => {
        signal.removeEventListener('abort', leave);
        started.resolve();
      },
    };
    this.#waiters.push(waiter);
    signal.addEventListener('abort', leave, { once: true });
    return started.promise;
  }
}
