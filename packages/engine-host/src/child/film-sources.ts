import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ClipSource } from '@guise/engine/pipeline/clip-source.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { DrawSegmentJob } from '../protocol/engine-job.ts';
import { additionalSources, decodePhoto } from './decode-photo.ts';

/** Photos of a film's sources, as named in its jobs. */
type FilmFiles = Pick<DrawSegmentJob, 'sources' | 'maxPixels'>;

/**
 * Time after their last use at which sources are forgotten. The next segment comes sooner, and a
 * client's photos must not stay in memory longer than needed.
 */
const LIFETIME_MS = 5000;

/**
 * Holds the analysed sources of one film, so that an engine analyses them once instead of once for
 * each segment that it draws.
 */
export class FilmSources {
  readonly #engine: Engine;
  #held: { readonly key: string; readonly sources: readonly ClipSource[] } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Gives `use` the analysed sources. The content of the files identifies them, because each job
   * has its own copies.
   * @throws TaskFailure as `Engine.analyseClipSource`, or if a photo cannot be read
   */
  async use<T>(files: FilmFiles, use: (sources: readonly ClipSource[]) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    const key = await keyOf(files);
    if (this.#held?.key !== key) {
      // The old sources are forgotten first, so that two films' are never in memory at once.
      this.forget();
      this.#held = { key, sources: await this.#analyse(files) };
    }
    try {
      return await use(this.#held.sources);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.forget(), LIFETIME_MS).unref();
    }
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#held = null;
  }

  async #analyse({ sources, maxPixels }: FilmFiles): Promise<ClipSource[]> {
    const analysed = [];
    for (const { name, path, additional } of sources) {
      const { rgb } = await decodePhoto(name ?? 'source image', path, maxPixels);
      const others = additionalSources({ additionalSources: additional, maxPixels });
      analysed.push(await this.#engine.analyseClipSource(rgb, others, name));
    }
    return analysed;
  }
}

/** Returns a key for the content of the photos, in their order, and for their limit. */
async function keyOf({ sources, maxPixels }: FilmFiles): Promise<string> {
  const digests = [];
  for (const { path, additional = [] } of sources)
    digests.push(await Promise.all([path, ...additional.map((photo) => photo.path)].map(digestOf)));
  return JSON.stringify([maxPixels, digests]);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
