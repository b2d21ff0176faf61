import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import type { TargetFace } from '../target/target-face.ts';
import { clamp } from '@guise/kernels/clamp.ts';

/**
 * Width of the blur, in sides of the atlas, that measures how deep a texel is inside the oval and
 * away from things in front. Luma is matched only close to the edge, because luma shapes the face:
 * a wider rim costs likeness (measured).
 */
const LUMA_DEPTH_SIDES = 1 / 26;
/**
 * Width of that blur for colours, which can be matched further inside without a loss of likeness.
 */
const COLOUR_DEPTH_SIDES = 1 / 12;
/** Depth, 0.5 at the edge. 0 at `from`: the target's skin is ignored; 1 at `to`: it is matched. */
const RING_DEPTH: Ramp = { from: 0.8, to: 0.65 };
/** Depth. 0 at `from`: the face takes the tone of the edge; 1 at `to`: it keeps its own. */
const KEPT_DEPTH: Ramp = { from: 0.81, to: 0.95 };
/**
 * Luma of skin. 0 at `from`: it is overexposed and has no colour to match; 1 at `to`: it has one.
 */
const BURNT_OUT_LUMA: Ramp = { from: 250, to: 225 };
/** Limit of the difference of two tones, levels. Skin next to skin does not differ more. */
const MAX_OFFSET_LEVELS = 60;

/**
 * Computes offsets that make a lit face (`small`, in a coarse atlas) meet the target's skin at the
 * edge of the mask. The difference of the two along the oval and along things in front, where the
 * target shows skin, spreads smoothly inwards and fades out (a membrane, as in Perez et al.,
 * Poisson Image Editing, 2003). Without the offsets, the low-pass light leaves a step of tone
 * across the forehead and lacks the shade near hair. Add the result to luma and colour differences,
 * planes of `COARSE_SIDE` squared.
 */
export function seamOffsets(
  small: AtlasColours,
  target: TargetFace,
  coarseLayout: RegionMasks,
  make: PlaneMaker,
): readonly Float32Array[] {
  const wanted = target.small;
  const lumaDepth = depthOf(coarseLayout, target.front, LUMA_DEPTH_SIDES, make);
  const colourDepth = depthOf(coarseLayout, target.front, COLOUR_DEPTH_SIDES, make);
  const luma = membrane([small.luma], [wanted.luma], target.rim, coarseLayout, lumaDepth, make);
  const colours = [small.blue, small.red];
  const rim = make.copyOf(target.rim);
  for (let i = 0; i < rim.length; i++) rim[i]! *= ramp(BURNT_OUT_LUMA, wanted.luma[i]!);
  return [...luma, ...membrane(colours, [wanted.blue, wanted.red], rim, coarseLayout, colourDepth, make)];
}

function depthOf({ oval }: RegionMasks, front: Float32Array, sigma: number, make: PlaneMaker): Float32Array {
  const depth = make.copyOf(oval);
  for (let i = 0; i < depth.length; i++) depth[i]! *= 1 - front[i]!;
  boxBlur(depth, COARSE_SIDE, COARSE_SIDE, boxRadius(sigma * COARSE_SIDE));
  return depth;
}

/**
 * Makes planes of offsets that reach the wanted values along the oval, where `rim` has weight, and
 * fade to 0 in the middle.
 */
function membrane(
  from: readonly Float32Array[],
  wanted: readonly Float32Array[],
  rim: Float32Array,
  { oval }: RegionMasks,
  depth: Float32Array,
  make: PlaneMaker,
): Float32Array[] {
  const offsets = from.map(() => make.floats(COARSE_SIDE * COARSE_SIDE));
  const weight = make.floats(COARSE_SIDE * COARSE_SIDE);
  for (let i = 0; i < weight.length; i++) {
    if (oval[i] === 0) continue;
    const ring = ramp(RING_DEPTH, depth[i]!) * rim[i]!;
    const kept = ramp(KEPT_DEPTH, depth[i]!);
    weight[i] = Math.min(1, ring + kept);
    if (ring === 0) continue;
    const share = ring / (ring + kept);
    for (let k = 0; k < offsets.length; k++)
      offsets[k]![i] = share * clamp(wanted[k]![i]! - from[k]![i]!, -MAX_OFFSET_LEVELS, MAX_OFFSET_LEVELS);
  }
  pushPull(offsets, weight, COARSE_SIDE);
  for (const plane of offsets) boxBlur(plane, COARSE_SIDE, COARSE_SIDE, 3, 2);
  return offsets;
}
