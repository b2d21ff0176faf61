import type { RgbImage } from '@guise/kernels/image.ts';
import { lookAtClip } from '@guise/media/clip/look-at-clip.ts';
import { makeThumbnail, type ThumbnailBox } from '@guise/media/image/thumbnail.ts';
import { CLIP_LIMITS } from './clip-limits.ts';

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
  return encoded(async () => {
    let made: Promise<Buffer> | null = null;
    await lookAtClip({
      inputPath,
      limits: CLIP_LIMITS,
      from: 0,
      onLook: async (frame) => {
        const { width, height } = frame;
        made = makeThumbnail(frame.rgb({ x: 0, y: 0, width, height }), null);
        await made;
      },
      goesOn: () => false,
    });
    return made ?? Promise.reject(new Error('The clip has no picture.'));
  });
}

async function encoded(make: () => Promise<Buffer>): Promise<WithThumbnail> {
  try {
    return { thumbnail: (await make()).toString('base64') };
  } catch {
    return {};
  }
}
