import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ClipSource } from '@guise/engine/pipeline/clip-source.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { DrawSegmentJob } from '../protocol/engine-job.ts';
import { additionalSources, decodePhoto } from './decode-photo.ts';

/** Photos of a film's source, as named in its jobs. */
type SourceFiles = Pick<DrawSegmentJob, 'sourcePath' | 'additionalSources' | 'maxPixels'>;

/**
 * Time after its last use at which a source is forgotten. The next segment comes sooner, and a
 * client's photos must not stay in memory longer than needed.
 */
const LIFETIME_MS = 5000;

/**
 * Holds the analysed source of one film, so that an engine analyses it once instead of once for
 * each segment that it draws.
 */
export class FilmSources {
  readonly #engine: Engine;
  #held: { readonly key: string; readonly source: ClipSource } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Gives `use` the analysed source. The content of the files identifies the source, because each
   * job has its own copies.
   * @throws TaskFailure as `Engine.analyseClipSource`, or if a photo cannot be read
   */
  async use<T>(files: SourceFiles, use: (source: ClipSource) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    const key = await keyOf(files);
    if (this.#held?.key !== key) {
      // The old source is forgotten first, so that two sources are never in memory at once.
      this.forget();
      this.#held = { key, source: await this.#analyse(files) };
    }
    try {
      return await use(this.#held.source);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.forget(), LIFETIME_MS).unref();
    }
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#held = null;
  }

  async #analyse(files: SourceFiles): Promise<ClipSource> {
    const { rgb } = await decodePhoto('source image', files.sourcePath, files.maxPixels);
    return await this.#engine.analyseClipSource(rgb, additionalSources(files));
  }
}

/** Returns a key for the content of the photos, in their order, and for their limit. */
async function keyOf(files: SourceFiles): Promise<string> {
  const digests = [];
  for (const file of [files.sourcePath, ...(files.additionalSources ?? []).map(({ path }) => path)])
    digests.push(await digestOf(file));
  return `${files.maxPixels} ${digests.join(' ')}`;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
