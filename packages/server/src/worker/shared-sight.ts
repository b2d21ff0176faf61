import type { SeenSource } from '@guise/engine/pipeline/source-photos.ts';
import type { EngineProcess, JobControl } from './engine-process.ts';

/**
 * What one engine sees in the source that a batch's items share is told to the others, which would
 * see the same.
 */
export class SharedSight {
  readonly #seen = Promise.withResolvers<SeenSource | null>();
  readonly #engines = new Set<EngineProcess>();

  /**
   * For an item on this engine. Whoever is given `onSeen` calls it at the item's end at the latest:
   * others wait for it.
   */
  controlFor(engine: EngineProcess): Pick<JobControl, 'onSeen' | 'seenSource'> {
    const isFirst = this.#engines.size === 0;
    const knows = this.#engines.has(engine);
    this.#engines.add(engine);
    if (isFirst) return { onSeen: this.#seen.resolve };
    return knows ? {} : { seenSource: this.#seen.promise };
  }
}
