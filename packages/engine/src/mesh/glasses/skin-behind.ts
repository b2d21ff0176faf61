import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { colourTells, relativeDarkness } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { bluerThanSkin } from './bluer-than-skin.ts';
import { softened } from './frame-zones.ts';
import { glassesHull } from './glasses-hull.ts';

/** Reach of brows and lashes beyond their outlines, in sides: their colours must not bleed. */
const FEATURE_REACH_SIDES = 1 / 90;
/** Gain of the brows' blurred outline. */
const BROW_GAIN = 3;
/** Gain of the frames: beside them lies their shadow. */
const FRAME_GAIN = 5;
/** Relative darkness over which skin is in so deep a shade, or hair, that it is no example. */
const SHADED: Ramp = { from: 0.5, to: 0.3 };
/** Bluer than skin by these deviations: under a reflection. */
const REFLECTING: Ramp = { from: 1, to: 2.5 };

/** Bare skin, clear of brows and lids. */
const clearSkin = perLayout(({ side, oval, lids, browsSoft }: AtlasLayout): Float32Array => {
  const brows = softened(browsSoft, side, FEATURE_REACH_SIDES);
  return oval.map((inside, i) => inside * (1 - lids[i]!) * (1 - Math.min(1, BROW_GAIN * brows[i]!)));
});

/**
 * Estimates the skin behind `frames` (0..1, of the atlas's size), smooth. Its luma is that of the
 * skin right beside, its colours those of the skin around the glasses, since lenses are tinted.
 */
export function skinBehind(
  { side, luma, blue, red }: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  frames: Float32Array,
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
    const clean = Math.max(0, 1 - FRAME_GAIN * frames[i]!);
    const lit = ramp(SHADED, relativeDarkness(expected[i]!, luma[i]!));
    const bluer = bluerThanSkin(model, expected[i]!, luma[i]!, blue[i]!, red[i]!);
    trust[i]! *= clean * clean * lit * (1 - tells * ramp(REFLECTING, bluer));
  }
  const skin = { luma: make.copyOf(luma), blue: make.copyOf(blue), red: make.copyOf(red) };
  pushPull([skin.luma], trust, side);
  const hull = glassesHull(layout);
  for (let i = 0; i < trust.length; i++) trust[i]! *= 1 - hull[i]!;
  pushPull([skin.blue, skin.red], trust, side);
  const radius = Math.max(1, side >> 7);
  for (const plane of [skin.luma, skin.blue, skin.red]) boxBlur(plane, side, side, radius, 2);
  return skin;
}
