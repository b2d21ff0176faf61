import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { EngineProcess, JobControl } from '@guise/engine-host/parent/engine-process.ts';

/**
 * Passes the first engine's analysis of a batch's source to the other engines, which would find the
 * same.
 */
export class SharedSourceAnalysis {
  readonly #analysis = Promise.withResolvers<SourceAnalysis | null>();
  readonly #engines = new Set<EngineProcess>();

  /**
   * Returns what an item on this engine needs. An item that gets `onSourceAnalysis` must call it by
   * its end, because others wait for it.
   */
  controlFor(engine: EngineProcess): Pick<JobControl, 'onSourceAnalysis' | 'sourceAnalysis'> {
    const isFirst = this.#engines.size === 0;
    const knows = this.#engines.has(engine);
    this.#engines.add(engine);
    if (isFirst) return { onSourceAnalysis: this.#analysis.resolve };
    return knows ? {} : { sourceAnalysis: this.#analysis.promise };
  }
}
