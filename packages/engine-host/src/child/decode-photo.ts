import type { AdditionalSource } from '@guise/engine/pipeline/source-photos.ts';
import { decodeImage, type DecodedImage } from '@guise/media/image/decode.ts';
import type { SwapImageJob } from '../protocol/engine-job.ts';
import { readable } from './media-failure.ts';

/**
 * Decodes a photo.
 * @param what name in error messages: "source image"
 * @throws TaskFailure that names the photo if it cannot be used
 */
export function decodePhoto(what: string, path: string, maxPixels: number): Promise<DecodedImage> {
  return readable(what, () => decodeImage(path, { maxPixels }));
}

/** Returns the additional photos of a job's source. Each is decoded when it is needed. */
export function additionalSources({
  additionalSources: files = [],
  maxPixels,
}: Pick<SwapImageJob, 'additionalSources' | 'maxPixels'>): AdditionalSource[] {
  return files.map(({ name, path }) => ({
    name,
    image: async () => (await decodePhoto(name, path, maxPixels)).rgb,
  }));
}
