import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import sharp from 'sharp';

/**
 * The pictures of all measurements. They are computer-generated, so they are always available and
 * the same on every machine.
 */
export interface BenchPictures {
  /** JPEG of the source, a portrait of 512 x 512. */
  readonly source: Buffer;
  /**
   * JPEG of the target, one megapixel (1000 x 1000): a portrait whose face is about half as wide as
   * the picture.
   */
  readonly target: Buffer;
  /** JPEG of a face, 256 x 256, for measurements that do not depend on the number of pixels. */
  readonly small: Buffer;
}

/** Number of targets in a batch: the most that `/api/ai-tasks` accepts with one source. */
export const BATCH_PICTURES = 19;

const TARGET_SIDE = 1000;
const TARGET_HEAD_SIDE = 640;

export async function benchPictures(): Promise<BenchPictures> {
  const { face } = await readSampleFaces();
  const margin = (TARGET_SIDE - TARGET_HEAD_SIDE) / 2;
  return {
    source: await sharp(face).resize(512, 512).jpeg({ quality: 92 }).toBuffer(),
    target: await sharp(face)
      .resize(TARGET_HEAD_SIDE, TARGET_HEAD_SIDE)
      .extend({ top: margin, bottom: margin, left: margin, right: margin, extendWith: 'copy' })
      .jpeg({ quality: 92 })
      .toBuffer(),
    small: await sharp(face).resize(256, 256).jpeg({ quality: 80 }).toBuffer(),
  };
}
