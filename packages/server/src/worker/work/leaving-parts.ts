/**
 * Most parts of a worker on their way to store and database while their engines go on; beyond it,
 * engines wait for the store.
 */
const MAX_LEAVING_PARTS = 8;

/** Parts whose engine has gone on while they are stored. */
export class LeavingParts {
  readonly #running = new Set<Promise<void>>();

  /** Adds the rest of a part's work, which never rejects, and waits while there are too many. */
  async add(run: Promise<void>): Promise<void> {
    const tracked = run.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
    while (this.#running.size >= MAX_LEAVING_PARTS) await Promise.race(this.#running);
  }

  /** Waits for all. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
