import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { addEnlarged, mixEnlarged } from '@guise/kernels/face/relight.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { boundedStep, COLOUR_SHARE, creaseShare, shavenShare, softened } from './expression-bounds.ts';
import { expressionZones } from './expression-zones.ts';

/** Texels of a coarse plane. */
const TEXEL_COUNT = COARSE_SIDE * COARSE_SIDE;
/**
 * Difference of two smiles (see `smileOf`). 0 at `from`: the face keeps its own relief; 1 at `to`:
 * the relief changes fully.
 */
const SMILE_DIFFERENCE: Ramp = { from: 0.035, to: 0.08 };
/** Box radius of the blur that separates light from relief, texels. */
const LIGHT_RADIUS_TEXELS = boxRadius(COARSE_SIDE / 10);
/**
 * Certainty of the target's skin. 0 at `from`: its relief is ignored; 1 at `to`: it counts fully.
 */
const SURE_SKIN: Ramp = { from: 0.1, to: 0.4 };
/** Box radius over which gaps in the target's skin are filled, texels. */
const BRIDGE_RADIUS_TEXELS = 2;
/** Box radius around the shade of a fold in which its fine line may lie, texels. */
const CREASE_RADIUS_TEXELS = 1;
/** Luma and colour differences, each a plane of `COARSE_SIDE` squared. */
type Planes = readonly [luma: Float32Array, blue: Float32Array, red: Float32Array];

/**
 * Measures how much more the source smiles than the target, -1..1; 0 if both smile about equally.
 * `smileOf` measures `source` and `target`.
 */
export function smileSurplus(source: number, target: number): number {
  return Math.sign(source - target) * ramp(SMILE_DIFFERENCE, Math.abs(source - target));
}

/**
 * Gives the lit face the smile folds of the target, in place. With `surplus` above 0 the source
 * smiles more, so its folds are removed. With `surplus` below 0 the target's folds are added. Folds
 * that do not come from a smile belong to the person and stay. With `surplus` 0 every bit stays the
 * same.
 */
export function matchExpression(
  lit: Atlas,
  target: TargetFace,
  surplus: number,
  layout: AtlasLayout,
  make: PlaneMaker,
): void {
  if (surplus === 0) return;
  const small = shrinkAtlas(lit, COARSE_SIDE, make);
  const coarse: Planes = [make.copyOf(small.luma), small.blue, small.red];
  for (let i = 0; i < TEXEL_COUNT; i++) small.luma[i]! -= target.veil;
  const skin = seenSkin(target, layout, make);
  const steps = reliefSteps(small, bridged(target.small, skin, make), skin, make);
  const weight = weighTexels(small.luma, target.light.luma, skin, layout, make);
  for (let i = 0; i < TEXEL_COUNT; i++) weight[i]! *= Math.abs(surplus);
  boundSteps(steps, small.luma, target.light.luma, weight, surplus);
  const creases = creasesIn(steps[0], target.light.luma, make);
  for (const [k, plane] of [lit.luma, lit.blue, lit.red].entries()) {
    mixEnlarged(plane, coarse[k]!, creases, COARSE_SIDE, layout.side);
    addEnlarged(plane, steps[k]!, layout.oval, COARSE_SIDE, layout.side);
  }
}

/**
 * Returns the certainty of the target's bare skin. Texels that glasses or hair cover count less.
 */
function seenSkin({ skin, occluded }: TargetFace, { side }: AtlasLayout, make: PlaneMaker): Float32Array {
  const seen = shrinkSquare(occluded, side, COARSE_SIDE, make.uninitialised(TEXEL_COUNT));
  for (let i = 0; i < TEXEL_COUNT; i++) seen[i] = skin[i]! * (1 - seen[i]!);
  return seen;
}

/**
 * Fills gaps in the skin (the deepest part of a fold, a rim of glasses, a hair) from the skin
 * around.
 */
function bridged({ luma, blue, red }: Atlas, skin: Float32Array, make: PlaneMaker): Planes {
  const planes: Planes = [make.copyOf(luma), make.copyOf(blue), make.copyOf(red)];
  normalisedBlur(planes, skin, COARSE_SIDE, COARSE_SIDE, BRIDGE_RADIUS_TEXELS);
  for (const [k, own] of [luma, blue, red].entries())
    for (let i = 0; i < TEXEL_COUNT; i++)
      planes[k]![i]! += ramp(SURE_SKIN, skin[i]!) * (own[i]! - planes[k]![i]!);
  return planes;
}

/** Computes the steps from one face's relief and colours to the other's, without their light. */
function reliefSteps(from: Atlas, to: Planes, skin: Float32Array, make: PlaneMaker): Planes {
  const between = (a: Float32Array, b: Float32Array): Float32Array => {
    const steps = make.uninitialised(TEXEL_COUNT);
    for (let i = 0; i < TEXEL_COUNT; i++) steps[i] = b[i]! - a[i]!;
    return steps;
  };
  const steps: Planes = [between(from.luma, to[0]), between(from.blue, to[1]), between(from.red, to[2])];
  const broad = steps.map((plane) => make.copyOf(plane));
  normalisedBlur(broad, skin, COARSE_SIDE, COARSE_SIDE, LIGHT_RADIUS_TEXELS);
  for (const [k, plane] of steps.entries()) for (let i = 0; i < TEXEL_COUNT; i++) plane[i]! -= broad[k]![i]!;
  return steps;
}

/** Computes the certainty that each texel's relief is expression on both faces, 0..1. */
function weighTexels(
  luma: Float32Array,
  light: Float32Array,
  skin: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const { mouth, cheeks } = expressionZones(layout.at(COARSE_SIDE));
  const shaven = shavenShare(luma, light, layout);
  const weight = make.copyOf(skin);
  boxBlur(weight, COARSE_SIDE, COARSE_SIDE, BRIDGE_RADIUS_TEXELS);
  for (let i = 0; i < TEXEL_COUNT; i++)
    weight[i] = Math.max(shaven * mouth[i]!, cheeks[i]!) * ramp(SURE_SKIN, weight[i]!);
  return weight;
}

/** Limits and weights the steps, in place (see `boundedStep`). */
function boundSteps(
  [luma, blue, red]: Planes,
  own: Float32Array,
  light: Float32Array,
  weight: Float32Array,
  surplus: number,
): void {
  for (let i = 0; i < TEXEL_COUNT; i++) {
    const step = luma[i]!;
    luma[i] = weight[i]! * boundedStep(step, light[i]! - own[i]!, light[i]!, surplus);
    // Colours change by the same share as the relief around them.
    const share = step === 0 ? 0 : (COLOUR_SHARE * luma[i]!) / step;
    blue[i] = share * softened(blue[i]!);
    red[i] = share * softened(red[i]!);
  }
}

/**
 * Computes the share of fine detail that each texel loses because a fold near the texel is
 * brightened.
 */
function creasesIn(lift: Float32Array, light: Float32Array, make: PlaneMaker): Float32Array {
  const creases = make.uninitialised(TEXEL_COUNT);
  for (let i = 0; i < TEXEL_COUNT; i++) creases[i] = creaseShare(lift[i]! / Math.max(1, light[i]!));
  boxBlur(creases, COARSE_SIDE, COARSE_SIDE, CREASE_RADIUS_TEXELS);
  return creases;
}
