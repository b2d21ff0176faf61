import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { perLayout } from './atlas-layout.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { filledRings } from './atlas-outline.ts';
import { OUTER_LIPS } from './face-regions.ts';

/** Radius of the blur that widens the lips to the skin around them, in sides. */
const REACH_SIDES = 1 / 20;
/** Blurred share of the lips. 0 at `from`, where the area begins; 1 at `to`, where it is full. */
const WIDENED: Ramp = { from: 0.02, to: 0.12 };

/** Mouth inside the lips' outer edge, hard. */
export const mouth = perLayout(({ points, side }: AtlasLayout): Float32Array =>
  filledRings(points, side, [OUTER_LIPS]),
);

/** Mouth with the skin around the lips, soft. */
export const mouthArea = perLayout((layout: AtlasLayout): Float32Array => {
  const { side, oval } = layout;
  const near = mouth(layout).slice();
  boxBlur(near, side, side, Math.max(1, Math.round(REACH_SIDES * side)), 2);
  return near.map((share, i) => oval[i]! * ramp(WIDENED, share));
});
