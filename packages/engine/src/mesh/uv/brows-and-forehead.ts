import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { RegionMasks } from './region-masks.ts';
import { COARSE_SIDE, perLayout } from './atlas-layout.ts';

/** Reach below the brows, coarse texels: the seam must not cross what a brow has of hair. */
const BELOW_BROWS_TEXELS = 4;
/** Box radius that evens out the lower edge, coarse texels. */
const EVEN_RADIUS_TEXELS = 2;

/**
 * Brows with the forehead above them, 0..1 in a coarse atlas: what stays of a target as a whole
 * where a source shows no brows.
 */
export const browsAndForehead = perLayout(({ oval, features, browArea }: RegionMasks): Float32Array => {
  const ends = lowerEnds(features, browArea);
  boxBlur(ends, COARSE_SIDE, 1, EVEN_RADIUS_TEXELS, 2);
  return oval.map((inside, i) => {
    const end = ends[i % COARSE_SIDE]! + BELOW_BROWS_TEXELS;
    return inside * Math.min(1, Math.max(0, end - Math.floor(i / COARSE_SIDE)));
  });
});

/** Lists in which row each column's brow ends; beside the brows, that of the nearest column. */
function lowerEnds(features: Float32Array, browArea: Float32Array): Float32Array {
  const isBrow = (i: number): boolean => features[i]! >= 0.5 && browArea[i]! > 0.5;
  const found = Array.from({ length: COARSE_SIDE }, (_, x) =>
    Array.from({ length: COARSE_SIDE }, (__, y) => y * COARSE_SIDE + x).findLast(isBrow),
  );
  return Float32Array.from(found, (_, x) => {
    for (let aside = 0; ; aside++) {
      const end = found[x - aside] ?? found[x + aside];
      if (end !== undefined) return Math.floor(end / COARSE_SIDE) + 1;
    }
  });
}
