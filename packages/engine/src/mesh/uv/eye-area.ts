import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { perLayout } from './atlas-layout.ts';
import type { RegionMasks } from './region-masks.ts';

/** Radius of the blur that widens the lids up to the crease and down to the fold, in sides. */
const REACH_SIDES = 1 / 32;
/** Blurred share of the lids. 0 at `from`, where the area begins; 1 at `to`, where it is full. */
const WIDENED: Ramp = { from: 0.15, to: 0.5 };

/**
 * Both eyes with lids, lashes and the skin from the fold below to the crease above, without brows.
 */
export const eyeArea = perLayout(({ side, lids, browsSoft, oval }: RegionMasks): Float32Array => {
  const near = lids.slice();
  boxBlur(near, side, side, Math.max(1, Math.round(REACH_SIDES * side)), 2);
  return near.map((share, i) => oval[i]! * (1 - browsSoft[i]!) * ramp(WIDENED, share));
});
