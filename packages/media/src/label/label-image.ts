import type { RgbImage } from '@guise/kernels/image.ts';
import { type Samples, stampAlpha, stampSamples } from '@guise/kernels/stamp.ts';
import type { ImageWithAlpha } from '../image/alpha.ts';
import { drawLabel } from './draw-label.ts';

/** Returns a copy of an image with the visible label on it. */
export function labelImage({ rgb, alpha }: ImageWithAlpha): ImageWithAlpha {
  const { width, height } = rgb;
  const label = drawLabel(width, height);
  const start = label.y * width + label.x;
  // A `Buffer` would share its memory with its own `slice()`.
  const data = new Uint8Array(rgb.data);
  const newAlpha = alpha && new Uint8Array(alpha);
  const below = newAlpha && { data: newAlpha, start, rowStride: width, step: 1 };
  const weights = stampAlpha(label, below);
  for (const channel of [0, 1, 2]) {
    const samples: Samples = { data, start: 3 * start + channel, rowStride: 3 * width, step: 3 };
    stampSamples(samples, label, weights, (i) => label.levels[i]!);
  }
  const labelled: RgbImage = { data, width, height };
  return { rgb: labelled, alpha: newAlpha };
}
