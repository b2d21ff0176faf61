import sharp, { type Sharp } from 'sharp';
import type { RgbImage } from '../packages/kernels/src/image.ts';

export interface ReadRgbOptions {
  /** Rotation in degrees clockwise, after the picture's own orientation. */
  readonly turn?: 0 | 90 | 180 | 270;
  /** Most pixels of the longer side; a smaller picture is not enlarged. */
  readonly longest?: number;
}

/** Reads a picture for tests and measurements, from a file or bytes, as upright sRGB on white. */
export async function readRgb(
  input: string | Buffer,
  { turn = 0, longest }: ReadRgbOptions = {},
): Promise<RgbImage> {
  let picture = sharp(input).autoOrient();
  if (turn !== 0) picture = picture.rotate(turn);
  picture = picture.toColourspace('srgb').flatten({ background: '#fff' }).removeAlpha();
  if (longest !== undefined) {
    picture = picture.resize(longest, longest, { fit: 'inside', withoutEnlargement: true });
  }
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return {
    data: new Uint8Array(data.buffer, data.byteOffset, data.length),
    width: info.width,
    height: info.height,
  };
}

export function toSharp(image: RgbImage): Sharp {
  return sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } });
}
