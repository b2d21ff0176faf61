import { relight as relightPlanes } from '@guise/kernels/face/relight.ts';
import type { RelightShares } from '@guise/kernels/face/relight.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';

/**
 * Luma that is added to two lights before they are compared, because noise dominates dark values.
 */
export const DARK_FLOOR_LUMA = 4;
/** Smallest chroma, as a share of the light's chroma, to which a dark texel fades. */
export const MIN_CHROMA_SHARE = 0.2;
/** Soft limit of a skin texel's own colour, levels: tinted light is reduced. */
const MAX_SKIN_COLOUR_LEVELS = 30;
/** Soft limit of a feature's own colour, levels: lipstick stays. */
const MAX_FEATURE_COLOUR_LEVELS = 120;

/** Limits of relighting, see `RelightShares`. */
export const RELIGHTING: RelightShares = {
  darkFloor: DARK_FLOOR_LUMA,
  // If the target is lighter than the source, brows and lashes keep their contrast, but hard light,
  // shine and stubble do not get stronger.
  skinKnee: 1,
  featureKnee: 1.3,
  darkening: 0.4,
  brightening: 0.35,
  leastChroma: MIN_CHROMA_SHARE,
  mostChroma: 1.1,
  mostSkinColour: MAX_SKIN_COLOUR_LEVELS,
  mostFeatureColour: MAX_FEATURE_COLOUR_LEVELS,
  // Highlights keep their shape instead of clipping.
  shoulder: 225,
  leastOffset: 0.6,
  mostOffset: 1.2,
};

/**
 * Computes how the source looks in the target's light, as luma and colour differences of a new
 * atlas. Texels darker than the source's skin (brows, lashes, creases) keep their ratio to the
 * skin. Brighter texels (highlights) keep at most their difference from the skin, so that they do
 * not clip on a light target or from a dark source. A smooth colour offset moves the tone to the
 * target's.
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
  const lit = {
    luma: make.uninitialised(count),
    blue: make.uninitialised(count),
    red: make.uninitialised(count),
  };
  const place = { lightSide: COARSE_SIDE, side, mask: layout.oval, features: layout.features };
  relightPlanes(atlas, from, to, place, colour, RELIGHTING, lit);
  return { side, ...lit, facing: atlas.facing };
}

/**
 * Limits a texel's own colour softly: small values hardly change.
 * @param feature 0 for skin, 1 for a feature
 */
export function bounded(value: number, feature: number): number {
  const per = (1 - feature) / MAX_SKIN_COLOUR_LEVELS + feature / MAX_FEATURE_COLOUR_LEVELS;
  return value / (1 + per * Math.abs(value));
}
