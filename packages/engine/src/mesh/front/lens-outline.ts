import { type Front, FRONT_SIDE } from './front.ts';

/** Share of a lens in a texel from which the texel counts as one. */
const LENS_SHARE = 0.5;
/** Distance up to which a rim belongs to a lens, texels. */
const RIM_REACH_TEXELS = 5;
/** Share of a rim in a texel from which it closes the outline of its lens. */
const CLOSING_SHARE = 0.25;
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
  /** Share with a rim beside it, 0..1. */
  readonly closed: number;
}

/** Measures the lenses in front of a face. */
export function lensOutline({ shares: { lens, frame } }: Front): LensOutline {
  const isLens = (x: number, y: number): boolean => lens[y * FRONT_SIDE + x]! >= LENS_SHARE;
  let [length, closed, left, right] = [0, 0, FRONT_SIDE, 0];
  const last = FRONT_SIDE - RIM_REACH_TEXELS;
  for (let y = RIM_REACH_TEXELS; y < last; y++)
    for (let x = RIM_REACH_TEXELS; x < last; x++) {
      if (!isLens(x, y)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      for (const [dx, dy] of NEIGHBOURS) {
        if (isLens(x + dx, y + dy)) continue;
        length += 1;
        let most = 0;
        for (let k = 0; k <= RIM_REACH_TEXELS; k++)
          most = Math.max(most, frame[(y + k * dy) * FRONT_SIDE + x + k * dx]!);
        if (most >= CLOSING_SHARE) closed += 1;
      }
    }
  return {
    ends: [left / FRONT_SIDE, right / FRONT_SIDE],
    length: length / FRONT_SIDE,
    closed: length === 0 ? 0 : closed / length,
  };
}
