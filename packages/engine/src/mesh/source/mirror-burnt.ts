import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { mixMirrored } from '@guise/kernels/face/mix-mirrored.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import { SmallerAtlases } from '../uv/smaller-atlases.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';

/** Luma. 0 at `from`: a place shows skin; 1 at `to`: the sun has burnt it out. */
const BURNT_LUMA: Ramp = { from: 222, to: 242 };
/** Luma of the mirror image. 0 at `from`: it is no better; 1 at `to`: it replaces the place. */
const MIRROR_LUMA: Ramp = { from: 205, to: 180 };
/**
 * Facing of the mirror image, divided by the place's own. 0 at `from`: it shows too little; 1 at
 * `to`: it shows enough.
 */
const SEEN_SHARE: Ramp = { from: 0.3, to: 0.6 };
/** Least facing by which a share is computed. */
const MIN_FACING = 0.05;
/** Share of bare skin that must be burnt out; a few smaller spots are shine. */
const MIN_BURNT_SHARE = 0.05;
/** Share of it that the mirror image must replace; half a patch is worse than a whole one. */
const MIN_REPAIRED_SHARE = 0.95;
/** Radius around a burnt place in which sunlight is removed too, coarse texels; applied twice. */
const SUNLIT_RADIUS_TEXELS = 8;
/** Share of burnt places around a texel. 0 at `from`: it is not sunlit; 1 at `to`: it is. */
const SUNLIT_SURROUNDINGS: Ramp = { from: 0.01, to: 0.04 };
/**
 * Luma of a place, divided by the luma of its mirror image. 0 at `from`: the place is not sunlit; 1
 * at `to`: it is.
 */
const SUNLIT_RATIO: Ramp = { from: 1.05, to: 1.25 };
/** Radius of the seam around replaced skin, coarse texels; applied twice. */
const SEAM_RADIUS_TEXELS = 1;
/** Gain of the blurred shares, so that the sun does not show through at the edge. */
const SHARE_GAIN = 1.6;

/**
 * Replaces skin that hard sun has burnt out by its mirror image, in place, if that shows skin.
 * Relit, a burnt place would be a flat patch with a bright rim.
 */
export function mirrorBurnt(
  atlas: Atlas,
  small: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
  smaller: SmallerAtlases = new SmallerAtlases(atlas, make),
): void {
  const { side } = atlas;
  const count = COARSE_SIDE * COARSE_SIDE;
  const luma = smaller.plane('luma', COARSE_SIDE);
  const facing = smaller.plane('facing', COARSE_SIDE);
  const { oval, core, softEyes, holes } = small;
  const better = make.floats(count);
  const share = make.floats(count);
  let burnt = 0;
  let repaired = 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (oval[i] === 0) continue;
    const mirror = mirrored(i);
    better[i] =
      ramp(MIRROR_LUMA, luma[mirror]!) *
      ramp(SEEN_SHARE, facing[mirror]! / Math.max(MIN_FACING, facing[i]!)) *
      (1 - Math.min(1, softEyes[i]! + holes[i]!));
    const isBurnt = ramp(BURNT_LUMA, luma[i]!);
    share[i] = better[i]! * isBurnt;
    burnt += core[i]! * isBurnt;
    repaired += core[i]! * share[i]!;
    total += core[i]!;
  }
  if (burnt < MIN_BURNT_SHARE * total || repaired < MIN_REPAIRED_SHARE * burnt) return;
  const near = make.copyOf(share);
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, SUNLIT_RADIUS_TEXELS, 2);
  for (let i = 0; i < count; i++) {
    const sunlit = ramp(SUNLIT_RATIO, luma[i]! / Math.max(1, luma[mirrored(i)]!));
    share[i] = Math.max(share[i]!, better[i]! * ramp(SUNLIT_SURROUNDINGS, near[i]!) * sunlit);
  }
  boxBlur(share, COARSE_SIDE, COARSE_SIDE, SEAM_RADIUS_TEXELS, 2);
  for (let i = 0; i < count; i++) share[i] = Math.min(1, SHARE_GAIN * share[i]!);
  const none = make.floats(count);
  mixMirrored(atlas, share, { luma: none, blue: none, red: none }, COARSE_SIDE, side);
  smaller.forget();
}

/** Returns the index of a coarse texel's mirror image. */
function mirrored(i: number): number {
  const column = i % COARSE_SIDE;
  return i - column + COARSE_SIDE - 1 - column;
}
