import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { EngineProcess, JobControl } from '@guise/engine-host/parent/engine-process.ts';

/**
 * Passes the first engine's analysis of a batch's source to the other engines of this worker, so
 * that they need not repeat it.
 */
export class SharedSourceAnalysis {
  readonly #analysis = Promise.withResolvers<SourceAnalysis | null>();
  #isBegun = false;

  /**
   * Returns the options for an item on this engine. An item that gets `onSourceAnalysis` must call
   * it, because others wait for the result.
   * @param isKnown whether the engine's last job was of the same batch, so that it still has the
   * source
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

/**
 * Records that an engine works on another job, which may remove the batch's source from its cache.
 */
export function forgetBatch(engine: EngineProcess): void {
  lastBatch.delete(engine);
}

/** Records that an engine works on an item. @returns whether its last item was of the same batch */
export function noteItem(engine: EngineProcess, taskId: string): boolean {
  const wasIt = lastBatch.get(engine) === taskId;
  lastBatch.set(engine, taskId);
  return wasIt;
}
