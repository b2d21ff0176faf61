import type { RgbImage } from '../packages/kernels/src/image.ts';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** An image file as upright sRGB, its longer side at most `longest` pixels. */
export async function loadImage(file: string, longest = 1200): Promise<RgbImage> {
  const { data, info } = await sharp(file)
    .rotate()
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .removeAlpha()
    .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    data: new Uint8Array(data.buffer, data.byteOffset, data.length),
    width: info.width,
    height: info.height,
  };
}

export function toSharp(image: RgbImage): Sharp {
  return sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } });
}
