import type { RgbImage } from '@guise/kernels/image.ts';
import { makeThumbnail, type ThumbnailBox } from '@guise/media/image/thumbnail.ts';
import { pictureOfClip } from './picture-of-clip.ts';

/** A small picture of an output, for lists; absent if it could not be made. */
export interface WithThumbnail {
  /** A WebP in base64. */
  readonly thumbnail?: string;
}

/**
 * Makes the thumbnail of a still. A thumbnail that fails does not fail the swap.
 * @param box the swapped face
 */
export async function thumbnailOfStill(image: RgbImage, box: ThumbnailBox | null): Promise<WithThumbnail> {
  return encoded(() => makeThumbnail(image, box));
}

/** Makes the thumbnail of a clip that was written: of one of its first pictures. */
export async function thumbnailOfClip(inputPath: string): Promise<WithThumbnail> {
  return encoded(async () => makeThumbnail(await pictureOfClip(inputPath), null));
}

async function encoded(make: () => Promise<Buffer>): Promise<WithThumbnail> {
  try {
    return { thumbnail: (await make()).toString('base64') };
  } catch {
    return {};
  }
}
