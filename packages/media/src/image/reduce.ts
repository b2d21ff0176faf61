import { type ImageWithAlpha, joinAlpha, splitAlpha } from './alpha.ts';
import { configuredSharp } from './sharp.ts';

/**
 * Reduces a picture to a long side of at most `maxLongSide` pixels and keeps its aspect. Returns a
 * smaller picture as it is. Uses Lanczos-3 on the sRGB values, weighted by opacity so that colours
 * under transparent pixels do not bleed out.
 */
export async function reduceToLongSide(image: ImageWithAlpha, maxLongSide: number): Promise<ImageWithAlpha> {
  const { rgb, alpha } = image;
  const scale = maxLongSide / Math.max(rgb.width, rgb.height);
  if (scale >= 1) return image;
  const [width, height] = [rgb.width, rgb.height].map((side) => Math.max(1, Math.round(side * scale)));
  const raw = { width: rgb.width, height: rgb.height, channels: alpha ? 4 : 3 } as const;
  const { data, info } = await configuredSharp()(alpha ? joinAlpha(rgb.data, alpha) : rgb.data, {
    raw,
    limitInputPixels: false,
  })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const split = splitAlpha(data, info.width * info.height, info.channels);
  return { rgb: { data: split.rgb, width: info.width, height: info.height }, alpha: split.alpha };
}
