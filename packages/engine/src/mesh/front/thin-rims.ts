import { dilate } from '@guise/kernels/filter/extremes.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { lensOutline } from './lens-outline.ts';
import { type Front, FRONT_SIDE } from './front.ts';

/** Radius in which a thin rim is the largest share of a frame, texels of `FRONT_SIDE`. */
const THIN_RIM_TEXELS = 3;
/** Share of a frame in a texel over the largest in that radius. 0 at `from`; 1 at `to`: a line. */
const LINE: Ramp = { from: 0.4, to: 0.7 };
/**
 * Largest share of a frame in that radius. 0 at `from`: there is no rim; 1 at `to`: there is one.
 */
const FAINT_RIM: Ramp = { from: 0.02, to: 0.06 };
/** Least share of the lenses' outline that thin rims close: others look broken. */
const MIN_CLOSED_SHARE = 0.85;
/** Largest distance of a rim from its lens, texels of `FRONT_SIDE`. */
const LENS_REACH_TEXELS = 6;
/** Share of a lens in that radius. 0 at `from`: no lens is near; 1 at `to`: one is. */
const NEAR_LENS: Ramp = { from: 0.3, to: 0.6 };

/**
 * Share of a frame, and the number of texels of `FRONT_SIDE` that have it at a bridge and hinges,
 * however thin the rims are. Shadows that look like lenses have none.
 */
const [SURE_SHARE, SURE_TEXELS] = [0.7, 40];

/**
 * Returns the rims that fill no texel: lines along which the network's share of a frame is largest,
 * however small it is. Returns null if no part of a frame is sure, or if such lines do not close;
 * else a plane of `FRONT_SIDE`, 0..1.
 */
export function thinRims({ shares: { frame, lens } }: Front, make: PlaneMaker): Float32Array | null {
  const sure = frame.reduce((count, share) => count + Number(share > SURE_SHARE), 0);
  if (sure < SURE_TEXELS) return null;
  const most = make.copyOf(frame);
  dilate(most, FRONT_SIDE, FRONT_SIDE, THIN_RIM_TEXELS);
  const near = make.copyOf(lens);
  dilate(near, FRONT_SIDE, FRONT_SIDE, LENS_REACH_TEXELS);
  const lines = frame.map(
    (share, i) =>
      ramp(LINE, share / Math.max(1e-6, most[i]!)) * ramp(FAINT_RIM, most[i]!) * ramp(NEAR_LENS, near[i]!),
  );
  return lensOutline(lens, lines).closed < MIN_CLOSED_SHARE ? null : lines;
}
