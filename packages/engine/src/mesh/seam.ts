import { boxBlur, boxRadius } from '@guise/kernels/box-blur.ts';
import { pushPull } from '@guise/kernels/push-pull.ts';
import { addEnlarged } from '@guise/kernels/relight.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { LIGHT_SIDE } from './atlas-layout.ts';
import type { Atlas } from './atlas.ts';
import { shrinkAtlas } from './atlas.ts';
import type { TargetFace } from './target-face.ts';

/** Width of the blur that tells how deep inside the oval a texel lies, as a fraction of the atlas: 0.5 at the edge. */
const DEPTH_SIGMA = 1 / 26;
/** Depth up to which the target's skin is met, and from which the face keeps the tone it has. */
const RING_INNER = 0.8;
const RING_OUTER = 0.62;
const KEPT_FROM = 0.86;
const KEPT_FULLY = 0.995;
/** Tones further apart than this are not skin beside skin. */
const MOST_STEP = 60;

/**
 * Lets the lit face meet the target's skin at the mask's edge, in place: the difference of the two along the oval, where the
 * target shows skin, is spread smoothly inwards and fades out (a membrane, as in Perez et al., Poisson Image Editing,
 * 2003, on the light-size atlas). Without it a low-pass light leaves a step of tone across the forehead.
 */
export function matchSeam(
  lit: Atlas,
  target: TargetFace,
  layout: AtlasLayout,
  lightLayout: AtlasLayout,
): void {
  const steps = seamSteps(lit, target, lightLayout);
  for (const [k, plane] of [lit.luma, lit.blue, lit.red].entries())
    addEnlarged(plane, steps[k]!, layout.oval, LIGHT_SIDE, layout.side);
}

/** What `matchSeam` adds to luma and colour differences, in planes of `LIGHT_SIDE` squared. */
export function seamSteps(lit: Atlas, target: TargetFace, lightLayout: AtlasLayout): readonly Float32Array[] {
  const small = shrinkAtlas(lit, LIGHT_SIDE);
  const depth = lightLayout.oval.slice();
  boxBlur(depth, LIGHT_SIDE, LIGHT_SIDE, boxRadius(DEPTH_SIGMA * LIGHT_SIDE));
  const count = LIGHT_SIDE * LIGHT_SIDE;
  const steps = [new Float32Array(count), new Float32Array(count), new Float32Array(count)] as const;
  const weight = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    if (lightLayout.oval[i] === 0) continue;
    const ring = smoothstep(RING_INNER, RING_OUTER, depth[i]!) * target.skin[i]!;
    const kept = smoothstep(KEPT_FROM, KEPT_FULLY, depth[i]!);
    weight[i] = Math.min(1, ring + kept);
    if (weight[i] === 0) continue;
    const share = ring / (ring + kept);
    steps[0][i] = share * held(target.small.luma[i]! - small.luma[i]!);
    steps[1][i] = share * held(target.small.blue[i]! - small.blue[i]!);
    steps[2][i] = share * held(target.small.red[i]! - small.red[i]!);
  }
  pushPull(steps, weight, LIGHT_SIDE);
  for (const plane of steps) boxBlur(plane, LIGHT_SIDE, LIGHT_SIDE, 3, 2);
  return steps;
}

function held(step: number): number {
  return step < -MOST_STEP ? -MOST_STEP : step > MOST_STEP ? MOST_STEP : step;
}
