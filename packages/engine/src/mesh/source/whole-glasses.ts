import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import { mirrorTexel } from '../uv/texel.ts';
import type { Glasses } from './glasses.ts';
import { mirrorGlasses } from './mirror-source.ts';

/** Facing of a half, as a share of the other half's, below which it is not drawn. */
const MIN_FACING_SHARE = 0.75;
/** Rims that were found in a half, as a share of the other half's, below which it is not drawn. */
const MIN_FOUND_SHARE = 0.85;
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
  const worse = worseHalf(glasses);
  if (worse === 0) return [glasses];
  const { side } = glasses.atlas;
  const half = (rims: Float32Array, shown: Ramp): Float32Array =>
    rims.map((rim, i) => rim * ramp(shown, worse * (((i % side) + 0.5) / side - 0.5)));
  const mirrored = mirrorGlasses(glasses, layout);
  return [
    { ...glasses, rims: half(glasses.rims, OWN_HALF) },
    { ...mirrored, rims: half(mirrored.rims, MIRRORED_HALF) },
  ];
}

/** Returns -1 if the left half is much worse than the right one, 1 if the right half is, else 0. */
function worseHalf({ rims, atlas: { side, facing } }: Glasses): number {
  const [turned, found] = [
    [0, 0],
    [0, 0],
  ] as [number[], number[]];
  for (let i = 0; i < rims.length; i++) {
    const other = mirrorTexel(i, side);
    const half = i < other ? 0 : 1;
    turned[half]! += Math.max(rims[i]!, rims[other]!) * facing[i]!;
    found[half]! += rims[i]! * facing[i]!;
  }
  return lesser(turned, MIN_FACING_SHARE) || lesser(found, MIN_FOUND_SHARE);
}

/**
 * Returns which half has less than a share of the other: -1 the left one, 1 the right one, else 0.
 */
function lesser([left, right]: number[], share: number): number {
  if (Math.min(left!, right!) >= share * Math.max(left!, right!)) return 0;
  return left! < right! ? -1 : 1;
}
