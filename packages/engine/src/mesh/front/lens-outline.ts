import { FRONT_SIDE } from './front.ts';

/** Share of a lens in a texel from which the texel counts as one. */
const LENS_SHARE = 0.5;
/** Distance up to which a rim belongs to a lens, texels. */
const RIM_REACH_TEXELS = 5;
/** Share of a rim in a texel from which it closes the outline of its lens. */
const CLOSING_SHARE = 0.6;
/** Steps to the four neighbours of a texel. */
const NEIGHBOURS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Outline of both lenses of a pair of glasses. */
export interface LensOutline {
  /** Leftmost and rightmost place, sides of the atlas. */
  readonly ends: readonly [left: number, right: number];
  /** Length, sides of the atlas. */
  readonly length: number;
  /** Share of the better half with a rim beside it, 0..1. */
  readonly closed: number;
}

/** Measures lenses, and how far these rims close them: planes of `FRONT_SIDE`, 0..1. */
export function lensOutline(lens: Float32Array, frame: Float32Array): LensOutline {
  const isLens = (x: number, y: number): boolean => lens[y * FRONT_SIDE + x]! >= LENS_SHARE;
  let [left, right] = [FRONT_SIDE, 0];
  const [lengths, closed] = [[0, 0] as [number, number], [0, 0] as [number, number]];
  const last = FRONT_SIDE - RIM_REACH_TEXELS;
  for (let y = RIM_REACH_TEXELS; y < last; y++)
    for (let x = RIM_REACH_TEXELS; x < last; x++) {
      if (!isLens(x, y)) continue;
      const half = x < FRONT_SIDE / 2 ? 0 : 1;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      for (const [dx, dy] of NEIGHBOURS) {
        if (isLens(x + dx, y + dy)) continue;
        lengths[half] += 1;
        let most = 0;
        for (let k = 0; k <= RIM_REACH_TEXELS; k++)
          most = Math.max(most, frame[(y + k * dy) * FRONT_SIDE + x + k * dx]!);
        if (most >= CLOSING_SHARE) closed[half] += 1;
      }
    }
  return {
    ends: [left / FRONT_SIDE, right / FRONT_SIDE],
    length: (lengths[0] + lengths[1]) / FRONT_SIDE,
    closed: Math.max(...lengths.map((length, k) => (length === 0 ? 0 : closed[k]! / length))),
  };
}
