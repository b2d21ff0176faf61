import type { EngineProcess } from './engine-process.ts';

/**
 * Starts a batch's next item on this engine; null where none is left. The promise never rejects.
 */
export type StartItem = (engine: EngineProcess) => Promise<void> | null;

/** The items of the batches in hand, for slots of this worker that have nothing to claim. */
export class SharedItems {
  readonly #batches = new Set<StartItem>();

  /** @returns takes the offer back. */
  offer(batch: StartItem): () => void {
    this.#batches.add(batch);
    return () => void this.#batches.delete(batch);
  }

  /** Performs one item, of the batches in turn. @returns false: there was none. */
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
