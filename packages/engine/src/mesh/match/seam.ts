import { boxBlur, boxRadius } from '@guise/kernels/box-blur.ts';
import { pushPull } from '@guise/kernels/push-pull.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { LIGHT_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { TargetFace } from '../target/target-face.ts';
import { clamp } from '@guise/kernels/clamp.ts';

/**
 * Width of the blur that tells how deep inside the oval, or beside what is in front, a texel lies, as a fraction of the atlas: 0.5 at the edge. Light is met
 * close to the edge, as it shapes the face (a wider rim costs likeness, measured), colours further in, which cost nothing.
 */
const LUMA_SIGMA = 1 / 26;
const COLOUR_SIGMA = 1 / 12;
/** Depth up to which the target's skin is met, and from which the face keeps the tone it has. */
const RING_INNER = 0.8;
const RING_OUTER = 0.65;
const KEPT_FROM = 0.81;
const KEPT_FULLY = 0.95;
/** Tones further apart than this are not skin beside skin. */
const MOST_STEP = 60;

/**
 * What lets a lit face (`small`, in light size) meet the target's skin at the mask's edge: the difference of the two along the
 * oval and along what lies in front of the face, where the target shows skin, is spread smoothly inwards and fades out (a membrane, as in Perez et al., Poisson Image
 * Editing, 2003). Without it a low-pass light leaves a step of tone across the forehead, and none of the shade beside hair. To be added to luma and colour
 * differences, planes of `LIGHT_SIDE` squared.
 */
export function seamSteps(
  small: Atlas,
  target: TargetFace,
  lightLayout: RegionMasks,
  make: PlaneMaker,
): readonly Float32Array[] {
  const wanted = target.small;
  const luma = membrane(
    [small.luma],
    [wanted.luma],
    target.rim,
    lightLayout,
    depthOf(lightLayout, target.front, LUMA_SIGMA, make),
    make,
  );
  const colours = [small.blue, small.red];
  const depth = depthOf(lightLayout, target.front, COLOUR_SIGMA, make);
  return [...luma, ...membrane(colours, [wanted.blue, wanted.red], target.rim, lightLayout, depth, make)];
}

function depthOf({ oval }: RegionMasks, front: Float32Array, sigma: number, make: PlaneMaker): Float32Array {
  const depth = make.copyOf(oval);
  for (let i = 0; i < depth.length; i++) depth[i]! *= 1 - front[i]!;
  boxBlur(depth, LIGHT_SIDE, LIGHT_SIDE, boxRadius(sigma * LIGHT_SIDE));
  return depth;
}

/** From the planes to the wanted ones along the oval, where the rim has weight; nothing in the middle. New planes. */
function membrane(
  from: readonly Float32Array[],
  wanted: readonly Float32Array[],
  rim: Float32Array,
  { oval }: RegionMasks,
  depth: Float32Array,
  make: PlaneMaker,
): Float32Array[] {
  const steps = from.map(() => make.floats(LIGHT_SIDE * LIGHT_SIDE));
  const weight = make.floats(LIGHT_SIDE * LIGHT_SIDE);
  for (let i = 0; i < weight.length; i++) {
    if (oval[i] === 0) continue;
    const ring = smoothstep(RING_INNER, RING_OUTER, depth[i]!) * rim[i]!;
    const kept = smoothstep(KEPT_FROM, KEPT_FULLY, depth[i]!);
    weight[i] = Math.min(1, ring + kept);
    if (ring === 0) continue;
    const share = ring / (ring + kept);
    for (let k = 0; k < steps.length; k++)
      steps[k]![i] = share * clamp(wanted[k]![i]! - from[k]![i]!, -MOST_STEP, MOST_STEP);
  }
  pushPull(steps, weight, LIGHT_SIDE);
  for (const plane of steps) boxBlur(plane, LIGHT_SIDE, LIGHT_SIDE, 3, 2);
  return steps;
}
