import type { AdditionalSource } from '@guise/engine/pipeline/source-photos.ts';
import { decodeImage, type DecodedImage } from '@guise/media/image/decode.ts';
import type { SwapImageJob } from '../protocol/engine-job.ts';
import { readable } from './media-failure.ts';

/**
 * @param what for sentences: "source image" @throws TaskFailure naming it where it cannot be used
 */
export function decodePhoto(what: string, path: string, maxPixels: number): Promise<DecodedImage> {
  return readable(what, () => decodeImage(path, { maxPixels }));
}

/** A job's additional photos of its source, decoded when their turn comes. */
export function additionalSources({
  additionalSources: files = [],
  maxPixels,
}: Pick<SwapImageJob, 'additionalSources' | 'maxPixels'>): AdditionalSource[] {
  return files.map(({ name, path }) => ({
    name,
    image: async () => (await decodePhoto(name, path, maxPixels)).rgb,
  }));
}
