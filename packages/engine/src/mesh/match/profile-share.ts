import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { facingOfHalves } from '../uv/facing-of-halves.ts';

/**
 * Mean facing of bare skin on the far half of the face. 0 at `from`: the face is not in profile; 1
 * at `to`: it is. Measured: 0.24 at 42 degrees, 0.12 at 53.
 */
const TURNED_FACING: Ramp = { from: 0.24, to: 0.14 };
/**
 * Height in the atlas. 0 at `from`: the face's middle is as wide as the bridge; 1 at `to`: as the
 * mouth.
 */
const WIDENING: Ramp = { from: 0.46, to: 0.6 };
/** Half the width of the nose's bridge and the skin beside it, sides. */
const BRIDGE_HALF_WIDTH_SIDES = 0.045;
/** Half the width of the mouth and its corners, sides. */
const MOUTH_HALF_WIDTH_SIDES = 0.19;
/** Half the width of the seam beside the middle of the face, sides. */
const SEAM_SIDES = 0.02;

/**
 * Measures how much of a face in profile stays the target's, 0..1 in a coarse plane: nose, mouth,
 * chin and everything behind them. A mesh with another nose would draw a second outline beside the
 * target's outline in the background. A face that looks at the camera keeps nothing.
 * @param facing of the target, coarse
 */
export function profileShare(
  facing: Float32Array,
  { oval, core }: RegionMasks,
  make: PlaneMaker,
): Float32Array {
  const kept = make.floats(facing.length);
  const [left, right] = facingOfHalves(facing, core);
  const turned = ramp(TURNED_FACING, Math.min(left, right));
  if (turned === 0) return kept;
  const towards = left < right ? 1 : -1;
  for (let y = 0, i = 0; y < COARSE_SIDE; y++) {
    const wide = ramp(WIDENING, (y + 0.5) / COARSE_SIDE);
    const half = BRIDGE_HALF_WIDTH_SIDES + wide * (MOUTH_HALF_WIDTH_SIDES - BRIDGE_HALF_WIDTH_SIDES);
    const edge: Ramp = { from: half + SEAM_SIDES, to: half - SEAM_SIDES };
    for (let x = 0; x < COARSE_SIDE; x++, i++)
      kept[i] = turned * oval[i]! * ramp(edge, towards * ((x + 0.5) / COARSE_SIDE - 0.5));
  }
  return kept;
}
