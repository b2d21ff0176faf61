import sharp from 'sharp';
import type { RgbImage } from '../packages/kernels/src/image.ts';

/** A picture for tests and measurements: file or bytes to upright sRGB on white, turned clockwise by `turn` degrees. */
export async function readRgb(input: string | Buffer, turn: 0 | 90 | 180 | 270 = 0): Promise<RgbImage> {
  const upright = await sharp(input)
    .rotate()
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .png()
    .toBuffer();
  const { data, info } = await sharp(upright)
    .rotate(turn)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
