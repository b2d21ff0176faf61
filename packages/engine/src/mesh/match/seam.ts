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
 * Width of the blur, in sides of the atlas, that measures how deep inside the oval (or behind
 * things in front) a texel's luma is matched. Luma is matched close to the edge, because it shapes
 * the face: a wider rim costs likeness (measured).
 */
const LUMA_DEPTH_SIDES = 1 / 26;
/** Width of that blur for colours, which are matched further inside at no cost of likeness. */
const COLOUR_DEPTH_SIDES = 1 / 12;
/** Depth, 0.5 at the edge, from where the target's skin is ignored to where it is matched. */
const RING_DEPTH: Ramp = { from: 0.8, to: 0.65 };
/** Depth from where the face takes the edge's tone to where it keeps its own. */
const KEPT_DEPTH: Ramp = { from: 0.81, to: 0.95 };
/** Luma from where skin is burnt out, without a colour to match, to where it has one. */
const BURNT_OUT_LUMA: Ramp = { from: 250, to: 225 };
/** Levels by which two tones may differ; a larger difference is not skin next to skin. */
const MAX_OFFSET_LEVELS = 60;

/**
 * Computes offsets that make a lit face (`small`, in a coarse atlas) meet the target's skin at the
 * mask's edge. The difference of the two along the oval and along things in front, where the target
 * shows skin, is spread smoothly inwards and fades out (a membrane, as in Perez et al., Poisson
 * Image Editing, 2003). Without it, a low-pass light leaves a step of tone across the forehead and
 * lacks the shade near hair. Add the result to luma and colour differences, planes of `COARSE_SIDE`
 * squared.
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
 * Makes planes of offsets that reach the wanted values along the oval, where the rim has weight,
 * and 0 in the middle.
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
