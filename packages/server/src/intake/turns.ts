/** Lets at most so many pieces of work run at once; the others wait, in the order they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atATime: number) {
    this.#free = atATime;
  }

  /** @throws the signal's reason where it is aborted before the turn came; what `work` throws. */
  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      // A turn is handed on, so that nobody who comes meanwhile takes it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(come), 1);
      turn.reject(signal!.reason);
    };
    const come = (): void => {
      signal?.removeEventListener('abort', leave);
      turn.resolve();
    };
    this.#waiting.push(come);
    signal?.addEventListener('abort', leave, { once: true });
    return turn.promise;
  }
}
