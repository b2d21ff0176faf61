import type { ClipLook, ClipPerson } from '@guise/engine/pipeline/clip-look.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { makePreview, makeThumbnail } from '@guise/media/image/thumbnail.ts';
import { pictureOfClip } from './picture-of-clip.ts';

/** Small pictures of a clip, each a WebP in base64. */
interface ClipPreviews {
  /** The clip at the best moment of its main person or, if there is nobody, at its first look. */
  readonly clip: string;
  /** The face of each person at the best moment. */
  readonly persons: readonly string[];
}

/**
 * Makes the previews of a clip, from the looks so far.
 * @throws MediaError if a picture cannot be decoded again
 */
export async function previewsOfClip(
  inputPath: string,
  looks: readonly ClipLook[],
  persons: readonly ClipPerson[],
  signal: AbortSignal,
): Promise<ClipPreviews> {
  let main: RgbImage | null = null;
  const made: string[] = [];
  for (const { best } of persons) {
    const { box, seconds } = best;
    // Looks at damaged pictures are missing, so this may be the number of an earlier look.
    const from = looks.findIndex((look) => look.seconds === seconds);
    const picture = await pictureOfClip(inputPath, { from, seconds, signal });
    main ??= picture;
    const { width, height } = picture;
    const face = await makeThumbnail(picture, {
      x: box.x * width,
      y: box.y * height,
      width: box.width * width,
      height: box.height * height,
    });
    made.push(face.toString('base64'));
  }
  main ??= await pictureOfClip(inputPath, { signal });
  return { clip: (await makePreview(main)).toString('base64'), persons: made };
}
