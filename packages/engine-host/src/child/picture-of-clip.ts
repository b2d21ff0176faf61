import type { RgbImage } from '@guise/kernels/image.ts';
import { lookAtClip } from '@guise/media/clip/look-at-clip.ts';
import { CLIP_LIMITS } from './clip-limits.ts';

/** Which picture of a clip is read: the first look at it by default. */
interface WantedPicture {
  /** Number of a look that is not after the wanted one. */
  readonly from?: number;
  /** Earliest time of the picture. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads one of the pictures that a look at the clip shows. @throws MediaError; Error if there is
 * none
 */
export async function pictureOfClip(
  inputPath: string,
  { from = 0, seconds = 0, signal }: WantedPicture = {},
): Promise<RgbImage> {
  let picture: RgbImage | null = null;
  await lookAtClip({
    inputPath,
    limits: CLIP_LIMITS,
    from,
    signal,
    onLook: async (frame) => {
      const { width, height, timeSeconds } = frame;
      if (timeSeconds >= seconds) picture ??= frame.rgb({ x: 0, y: 0, width, height });
    },
    goesOn: () => picture === null,
  });
  return picture ?? Promise.reject(new Error('The clip has no such picture.'));
}
