import { clamp } from '../clamp.ts';
import type { RgbImage } from '../image.ts';
import type { SpreadPlanes } from './spread-triangles.ts';

/**
 * Positions of a plane's texels in the triangles over it, in groups of four neighbours of a row.
 */
export interface TexelCorners {
  /** Number of the first texel of each group. */
  readonly first: Uint32Array;
  /** Three vertex numbers for each texel. */
  readonly corners: Uint16Array;
  /** Barycentric shares of the three vertices. Their sum is 1, or 0 where there is no triangle. */
  readonly shares: Float32Array;
}

/** Reference version of the kernel in ../face/spread-texels.ts. */
export function spreadTexels(
  { first, corners, shares }: TexelCorners,
  vertices: Float32Array,
  { data, width, height }: RgbImage,
  { luma, blue, red, value }: SpreadPlanes,
): void {
  const stride = 3 * width;
  for (let k = 0; k < 4 * first.length; k++) {
    const i = first[k >> 2]! + (k & 3);
    // Values are rounded to 32 bits as in the kernel, because steps of the picture magnify
    // differences in position.
    const [x, y, own, total] = [0, 1, 2, 3].map((at) => {
      const [a, b, c] = [3 * k, 3 * k + 1, 3 * k + 2].map((corner) =>
        Math.fround(shares[corner]! * vertices[4 * corners[corner]! + at]!),
      ) as [number, number, number];
      return Math.fround(a + Math.fround(b + c));
    }) as [number, number, number, number];
    const isCovered = total > 0.5;
    const cx = clamp(Math.fround(x - 0.5), 0, width - 1);
    const cy = clamp(Math.fround(y - 0.5), 0, height - 1);
    const p = Math.floor(cy) * stride + Math.floor(cx) * 3;
    const beside = cx < width - 1 ? 3 : 0;
    const below = cy < height - 1 ? stride : 0;
    const [r, g, b] = [p, p + 1, p + 2].map((at) => {
      const upper = data[at]! + (cx % 1) * (data[at + beside]! - data[at]!);
      const lower = data[at + below]! + (cx % 1) * (data[at + below + beside]! - data[at + below]!);
      return upper + (cy % 1) * (lower - upper);
    }) as [number, number, number];
    const l = 0.299 * r + 0.587 * g + 0.114 * b;
    luma[i] = isCovered ? l : 0;
    blue[i] = isCovered ? 0.564 * (b - l) : 0;
    red[i] = isCovered ? 0.713 * (r - l) : 0;
    value[i] =
      isCovered && own > 0 && x >= 0.5 && y >= 0.5 && x - 0.5 <= width - 1 && y - 0.5 <= height - 1 ? own : 0;
  }
}
