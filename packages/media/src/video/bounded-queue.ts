/**
 * Passes items from one producer to one consumer. At most `capacity` items wait, so the faster side
 * waits for the slower one. After `fail`, both sides throw that error.
 */
export class BoundedQueue<T> {
  readonly #capacity: number;
  readonly #items: T[] = [];
  #ended = false;
  #failure: { reason: unknown } | null = null;
  #wake: (() => void)[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  async push(item: T): Promise<void> {
    while (this.#items.length >= this.#capacity && this.#failure === null) await this.#change();
    if (this.#failure !== null) throw this.#failure.reason;
    this.#items.push(item);
    this.#notify();
  }

  /** Returns the next item, or null at the end. */
  async pull(): Promise<T | null> {
    while (this.#items.length === 0 && !this.#ended && this.#failure === null) await this.#change();
    if (this.#failure !== null) throw this.#failure.reason;
    const item = this.#items.shift() ?? null;
    this.#notify();
    return item;
  }

  end(): void {
    this.#ended = true;
    this.#notify();
  }

  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#notify();
  }

  /** Returns the items that the consumer has not taken, so that a failed run can free them. */
  drain(): T[] {
    return this.#items.splice(0);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
