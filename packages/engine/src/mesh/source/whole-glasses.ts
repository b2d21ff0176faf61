import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import { mirrorTexel } from '../uv/texel.ts';
import type { Glasses } from './glasses.ts';
import { mirrorGlasses } from './mirror-source.ts';

/**
 * Facing of the worse half, as a share of the better half's, below which the photo shows it too
 * much from the side.
 */
const MIN_FACING_SHARE = 0.75;
/**
 * Distance from the midline into the worse half, sides. 0 at `from`: the better half ends; 1 at
 * `to`: it is whole.
 */
const OWN_HALF: Ramp = { from: 0.03, to: 0.01 };
/** Distance like that. 0 at `from`: the better half's mirror image ends; 1 at `to`: it is whole. */
const MIRRORED_HALF: Ramp = { from: -0.01, to: 0.01 };

/**
 * Returns glasses as parts to draw one over the other: all of them, or, if the photo shows one half
 * much better, that half and its mirror image.
 */
export function wholeGlasses(glasses: Glasses, layout: AtlasGeometry): readonly Glasses[] {
  const [left, right] = facingOfHalves(glasses);
  if (Math.min(left, right) >= MIN_FACING_SHARE * Math.max(left, right)) return [glasses];
  const worse = left > right ? 1 : -1;
  const { side } = glasses.atlas;
  const half = (rims: Float32Array, shown: Ramp): Float32Array =>
    rims.map((rim, i) => rim * ramp(shown, worse * (((i % side) + 0.5) / side - 0.5)));
  const mirrored = mirrorGlasses(glasses, layout);
  return [
    { ...glasses, rims: half(glasses.rims, OWN_HALF) },
    { ...mirrored, rims: half(mirrored.rims, MIRRORED_HALF) },
  ];
}

/** Returns the mean facing of the left and the right half, over places where either has a rim. */
function facingOfHalves({ rims, atlas: { side, facing } }: Glasses): [left: number, right: number] {
  let [left, right, area] = [0, 0, 0];
  for (let i = 0; i < rims.length; i++) {
    const other = mirrorTexel(i, side);
    if (i >= other) continue;
    const weight = Math.max(rims[i]!, rims[other]!);
    left += weight * facing[i]!;
    right += weight * facing[other]!;
    area += weight;
  }
  return area === 0 ? [0, 0] : [left / area, right / area];
}
