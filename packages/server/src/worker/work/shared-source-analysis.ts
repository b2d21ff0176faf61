import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { EngineProcess, JobControl } from '@guise/engine-host/parent/engine-process.ts';

/**
 * Passes the first engine's analysis of a batch's source to the other engines of this worker, which
 * would find the same.
 */
export class SharedSourceAnalysis {
  readonly #analysis = Promise.withResolvers<SourceAnalysis | null>();
  #isBegun = false;

  /**
   * Returns what an item on this engine needs. An item that gets `onSourceAnalysis` must call it by
   * its end, because others wait for it.
   * @param isKnown whether the engine's job before was of the same batch: it knows the source then
   */
  controlFor(isKnown: boolean): Pick<JobControl, 'onSourceAnalysis' | 'sourceAnalysis'> {
    if (!this.#isBegun) {
      this.#isBegun = true;
      return { onSourceAnalysis: this.#analysis.resolve };
    }
    return isKnown ? {} : { sourceAnalysis: this.#analysis.promise };
  }
}

/** Batch of each engine's last item. */
const lastBatch = new WeakMap<EngineProcess, string>();

/** Notes that an engine works on something else, which may push the batch's source out. */
export function forgetBatch(engine: EngineProcess): void {
  lastBatch.delete(engine);
}

/** Notes that an engine works on an item. @returns whether its item before was of the same batch */
export function noteItem(engine: EngineProcess, taskId: string): boolean {
  const wasIt = lastBatch.get(engine) === taskId;
  lastBatch.set(engine, taskId);
  return wasIt;
}
