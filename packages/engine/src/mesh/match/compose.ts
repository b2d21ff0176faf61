import { relight as relightPlanes } from '@guise/kernels/relight.ts';
import type { RelightShares } from '@guise/kernels/relight.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LIGHT_SIDE } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';

/** Added to both lights before they are compared: black has noise, not reflectance. */
export const DARK_FLOOR = 4;
/**
 * How far detail darker and brighter than the skin is amplified for a target lighter than the source: brows and lashes keep
 * their contrast, unevenness of the skin (hard light, shine, stubble) is not made larger than it was.
 */
export const FEATURE_KNEE = 1.3;
export const SKIN_KNEE = 1;
export const DARKENING_SHARE = 0.4;
export const BRIGHTENING_SHARE = 0.35;
/** Chroma of a texel fades with its luma only down to this share. */
export const LEAST_CHROMA = 0.2;
export const MOST_CHROMA = 1.1;
/** Own colour beyond this much is bent: lipstick stays, casts of light do not. */
const MOST_OWN_COLOUR = 30;
/** Luma above this is bent so that highlights keep their shape instead of clipping. */
export const SHOULDER = 225;

/** Own colours follow the gain of the light between these. */
const LEAST_OFFSET = 0.6;
const MOST_OFFSET = 1.2;

export const SHARES: RelightShares = {
  darkFloor: DARK_FLOOR,
  skinKnee: SKIN_KNEE,
  featureKnee: FEATURE_KNEE,
  darkening: DARKENING_SHARE,
  brightening: BRIGHTENING_SHARE,
  leastChroma: LEAST_CHROMA,
  mostChroma: MOST_CHROMA,
  mostOwnColour: MOST_OWN_COLOUR,
  shoulder: SHOULDER,
  leastOffset: LEAST_OFFSET,
  mostOffset: MOST_OFFSET,
};

/**
 * The source's reflectance under the target's light: a new atlas luma and colour differences. What is darker than the
 * source's skin (brows, lashes, creases) keeps its ratio to the skin; what is brighter (highlights) keeps at most its step,
 * so that nothing burns on a light target or from a dark source. Tone follows the target with a smooth colour offset.
 */
export function relight(
  atlas: Atlas,
  from: Light,
  to: Light,
  colour: number,
  layout: RegionMasks,
  make: PlaneMaker = ordinaryPlanes,
): Atlas {
  const { side } = atlas;
  const count = side * side;
  const lit = { luma: make.unset(count), blue: make.unset(count), red: make.unset(count) };
  const place = { lightSide: LIGHT_SIDE, side, mask: layout.oval, features: layout.features };
  relightPlanes(atlas, from, to, place, colour, SHARES, lit);
  return { side, ...lit, facing: atlas.facing };
}

/** Nearly the value while small, never beyond `MOST_OWN_COLOUR`. */
export function bounded(value: number): number {
  return value / (1 + Math.abs(value) / MOST_OWN_COLOUR);
}
