import { clamp } from '@guise/kernels/clamp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';

/**
 * Weights of four pixels in a row for a point a quarter of a pixel after the second one
 * (Catmull-Rom: Keys, "Cubic convolution interpolation", 1981).
 */
const WEIGHTS = [-0.0703125, 0.8671875, 0.2265625, -0.0234375] as const;

/**
 * Magnifies a small photo twice with bicubic interpolation, because bilinear reading would give
 * lids and brows stairs. An edge-based coordinate of the result is twice that of the photo.
 */
export function magnifyTwice({ data, width, height }: RgbImage): RgbImage {
  const wide = magnifyAlong(Float32Array.from(data), width, height, 3, 3 * width, 3, 6 * width);
  const both = magnifyAlong(wide, height, 2 * width, 6 * width, 3, 6 * width, 3);
  // The array rounds half to even and clamps to 0..255.
  const bytes = new Uint8Array(Uint8ClampedArray.from(both).buffer);
  return { data: bytes, width: 2 * width, height: 2 * height };
}

/**
 * Magnifies all three channels along one axis.
 * @param along length of the axis @param across of the other
 * @param stride from one pixel to the next along it, `line` across
 * @param outStride the same of the result, `outLine` across
 */
function magnifyAlong(
  from: Float32Array,
  along: number,
  across: number,
  stride: number,
  line: number,
  outStride: number,
  outLine: number,
): Float32Array {
  const out = new Float32Array(6 * along * across);
  const [w0, w1, w2, w3] = WEIGHTS;
  for (let x = 0; x < along; x++) {
    const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map((k) => stride * clamp(x + k, 0, along - 1)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    for (let y = 0; y < across; y++)
      for (let channel = 0; channel < 3; channel++) {
        const i = y * line + channel;
        const to = 2 * x * outStride + y * outLine + channel;
        out[to] = w3 * from[i + a]! + w2 * from[i + b]! + w1 * from[i + c]! + w0 * from[i + d]!;
        out[to + outStride] = w0 * from[i + b]! + w1 * from[i + c]! + w2 * from[i + d]! + w3 * from[i + e]!;
      }
  }
  return out;
}
