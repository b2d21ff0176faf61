import type { SeenSource } from '@guise/engine/pipeline/source-photos.ts';
import type { EngineProcess, JobControl } from '@guise/engine-host/parent/engine-process.ts';

/**
 * Passes what one engine saw in the source of a batch to the other engines, which would see the
 * same.
 */
export class SharedSight {
  readonly #seen = Promise.withResolvers<SeenSource | null>();
  readonly #engines = new Set<EngineProcess>();

  /**
   * Returns what an item on this engine needs. An item that gets `onSeen` must call it by its end,
   * because others wait for it.
   */
  controlFor(engine: EngineProcess): Pick<JobControl, 'onSeen' | 'seenSource'> {
    const isFirst = this.#engines.size === 0;
    const knows = this.#engines.has(engine);
    this.#engines.add(engine);
    if (isFirst) return { onSeen: this.#seen.resolve };
    return knows ? {} : { seenSource: this.#seen.promise };
  }
}
