/**
 * Largest number of parts of a worker that are being stored while their engines do other work.
 * Beyond this, engines wait.
 */
const MAX_LEAVING_PARTS = 8;

/** Parts that are being stored while their engine does other work. */
export class LeavingParts {
  readonly #running = new Set<Promise<void>>();

  /** Adds the rest of a part's work, which must never reject. Waits while there are too many. */
  async add(run: Promise<void>): Promise<void> {
    const tracked = run.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
    while (this.#running.size >= MAX_LEAVING_PARTS) await Promise.race(this.#running);
  }

  /** Waits until all parts are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
