import type { ClipLook, ClipPerson } from '@guise/engine/pipeline/clip-look.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { lookAtClip } from '@guise/media/clip/look-at-clip.ts';
import { makePreview, makeThumbnail } from '@guise/media/image/thumbnail.ts';
import { CLIP_LIMITS } from './clip-limits.ts';

/** Small pictures of a clip, each a WebP in base64. */
interface ClipPreviews {
  /** The clip at the best moment of its main person or, if there is nobody, at its first look. */
  readonly clip: string;
  /** The face of each person at the best moment. */
  readonly persons: readonly string[];
}

/**
 * Makes the previews of a clip whose looks were all taken.
 * @throws MediaError if a picture cannot be decoded again
 */
export async function previewsOfClip(
  inputPath: string,
  looks: readonly ClipLook[],
  persons: readonly ClipPerson[],
  signal: AbortSignal,
): Promise<ClipPreviews> {
  const times = looks.map(({ seconds }) => seconds);
  const pictureAt = (seconds: number): Promise<RgbImage> => readLook(inputPath, times, seconds, signal);
  const main = await pictureAt(persons[0]?.best.seconds ?? times[0]!);
  const made: string[] = [];
  for (const { best } of persons) {
    const { box } = best;
    const picture = await pictureAt(best.seconds);
    const { width, height } = picture;
    const face = await makeThumbnail(picture, {
      x: box.x * width,
      y: box.y * height,
      width: box.width * width,
      height: box.height * height,
    });
    made.push(face.toString('base64'));
  }
  return { clip: (await makePreview(main)).toString('base64'), persons: made };
}

/** Decodes the picture of a look again. @param times the times of all looks, seconds */
async function readLook(
  inputPath: string,
  times: readonly number[],
  seconds: number,
  signal: AbortSignal,
): Promise<RgbImage> {
  let picture: RgbImage | null = null;
  await lookAtClip({
    inputPath,
    limits: CLIP_LIMITS,
    // Looks at damaged pictures are missing in `times`, so this may be an earlier look.
    from: times.indexOf(seconds),
    signal,
    onLook: async (frame) => {
      const { width, height, timeSeconds } = frame;
      if (timeSeconds >= seconds) picture ??= frame.rgb({ x: 0, y: 0, width, height });
    },
    goesOn: () => picture === null,
  });
  if (picture === null) throw new Error('The clip has no picture at that time any more.');
  return picture;
}
