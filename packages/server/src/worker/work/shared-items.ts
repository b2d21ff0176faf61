import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';

/**
 * Starts a batch's next item on this engine; returns null if none is left. The promise never
 * rejects.
 */
export type StartItem = (engine: EngineProcess) => Promise<void> | null;

/** Items of the batches of this worker, offered to its idle slots. */
export class SharedItems {
  readonly #batches = new Set<StartItem>();

  /** Offers the items of a batch. @returns a function that withdraws the offer. */
  offer(batch: StartItem): () => void {
    this.#batches.add(batch);
    return () => void this.#batches.delete(batch);
  }

  /** Performs one item, taking the batches in turn. @returns false if there was none. */
  async performOne(engine: EngineProcess): Promise<boolean> {
    for (const batch of this.#batches) {
      const running = batch(engine);
      if (running === null) continue;
      this.#batches.delete(batch);
      this.#batches.add(batch);
      await running;
      return true;
    }
    return false;
  }
}
