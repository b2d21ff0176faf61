import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { colourTells, notSkin } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { midlineDistance, mirrorTexel } from '../uv/texel.ts';
import { bluerThanSkin } from './bluer-than-skin.ts';
import { softened } from './glasses-zones.ts';
import { glassesHull } from './glasses-hull.ts';

/** Reach of brows and lashes beyond their outlines, in sides: their colours must not bleed. */
const FEATURE_REACH_SIDES = 1 / 90;
/** Gain of the brows' blurred outline. */
const BROW_GAIN = 3;
/** Gain of the glasses: beside them lies their shadow. */
const GLASSES_GAIN = 5;
/** Share of the skin's model in the luma of places that lie far from any skin. */
const MODEL_SHARE = 0.4;
/** Distrust of the colours of skin behind lenses, which may be tinted. */
const TINTED = 0.7;
/** Gain of the trusted share around a place, above which it does not lie far. */
const NEAR_GAIN = 4;
/** Bluer than skin by these deviations: under a reflection. */
const REFLECTING: Ramp = { from: 1, to: 2.5 };

/** Distance from the midline, in sides, over which a photo shows hair, ears and what is behind. */
const SIDES_ASIDE: Ramp = { from: 0.25, to: 0.31 };

/** Blur over the steps from triangle to triangle, in sides. */
const RELIEF_BLUR_SIDES = 1 / 100;
/** Reach of relief, in sides: about as broad as a nose. */
const RELIEF_SIDES = 1 / 14;
/** Change of luma with how much a surface faces the camera. */
const SHADING = 0.45;
/** Largest such change. */
const MAX_SHADE = 0.14;

/** Bare skin, clear of brows and lids. */
const clearSkin = perLayout(({ side, oval, features, lids, browsSoft }: AtlasLayout): Float32Array => {
  const brows = softened(browsSoft, side, FEATURE_REACH_SIDES);
  return oval.map((inside, i) => {
    const beside = 1 - ramp(SIDES_ASIDE, midlineDistance(i, side));
    return inside * beside * (1 - features[i]!) * (1 - lids[i]!) * (1 - Math.min(1, BROW_GAIN * brows[i]!));
  });
});

/**
 * Estimates the skin behind `glasses` (0..1, of the atlas's size), smooth. Its luma is that of the
 * skin right beside, its colours those of the skin around the glasses, since lenses are tinted.
 */
export function skinBehind(
  { side, luma, blue, red, facing }: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  glasses: Float32Array,
  make: PlaneMaker,
): Pick<Atlas, 'luma' | 'blue' | 'red'> {
  const expected = enlargeSquare(
    model.luma,
    COARSE_SIDE,
    side / COARSE_SIDE,
    make.uninitialised(side * side),
  );
  const tells = colourTells(model.red);
  const trust = make.copyOf(clearSkin(layout));
  for (let i = 0; i < trust.length; i++) {
    if (trust[i] === 0) continue;
    const clean = Math.max(0, 1 - GLASSES_GAIN * glasses[i]!);
    const bare = 1 - notSkin(model, expected[i]!, luma[i]!, blue[i]!, red[i]!, 0);
    const bluer = bluerThanSkin(model, expected[i]!, luma[i]!, blue[i]!, red[i]!);
    trust[i]! *= clean * clean * bare * (1 - tells * ramp(REFLECTING, bluer));
  }
  const skin = { luma: make.copyOf(luma), blue: make.copyOf(blue), red: make.copyOf(red) };
  for (let i = 0; i < trust.length; i++) {
    // Colours fade with light: their share of the luma is what skin has in common.
    skin.blue[i]! /= luma[i]! + LUMA_NOISE_FLOOR;
    skin.red[i]! /= luma[i]! + LUMA_NOISE_FLOOR;
  }
  pushPull([skin.luma], trust, side);
  const around = make.copyOf(trust);
  boxBlur(around, side, side, side >> 4, 2);
  const hull = glassesHull(layout);
  for (let i = 0; i < trust.length; i++) {
    const far = Math.max(0, 1 - NEAR_GAIN * around[i]!);
    skin.luma[i]! += MODEL_SHARE * far * (expected[i]! - skin.luma[i]!);
    trust[i]! *= (1 - TINTED * hull[i]!) * (1 - notSkin(model, expected[i]!, luma[i]!, blue[i]!, red[i]!, 1));
  }
  pushPull([skin.blue, skin.red], trust, side);
  for (let i = 0; i < trust.length; i++) {
    skin.blue[i]! *= skin.luma[i]! + LUMA_NOISE_FLOOR;
    skin.red[i]! *= skin.luma[i]! + LUMA_NOISE_FLOOR;
  }
  const radius = Math.max(1, side >> 7);
  for (const plane of [skin.luma, skin.blue, skin.red]) boxBlur(plane, side, side, radius, 2);
  shadeAsSurface(skin.luma, facing, side, make);
  return skin;
}

/**
 * Shades smooth skin, in place, where its surface turns away more than that around it: beside the
 * nose.
 */
function shadeAsSurface(luma: Float32Array, facing: Float32Array, side: number, make: PlaneMaker): void {
  const even = make.uninitialised(facing.length);
  for (let i = 0; i < even.length; i++) even[i] = (facing[i]! + facing[mirrorTexel(i, side)]!) / 2;
  boxBlur(even, side, side, Math.max(1, Math.round(RELIEF_BLUR_SIDES * side)), 2);
  const around = make.copyOf(even);
  boxBlur(around, side, side, Math.round(RELIEF_SIDES * side), 2);
  for (let i = 0; i < luma.length; i++) {
    const shade = clamp(SHADING * (even[i]! - around[i]!), -MAX_SHADE, MAX_SHADE);
    luma[i]! *= 1 + shade;
  }
}
