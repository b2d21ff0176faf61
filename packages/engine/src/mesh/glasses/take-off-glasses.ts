import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { colourTells } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { browColours, browTails } from './brow-tails.ts';
import { cheekGrain } from './cheek-grain.ts';
import { glassesZones } from './glasses-zones.ts';
import { glassesHull } from './glasses-hull.ts';
import { lidGain } from './lid-light.ts';
import { skinBehind } from './skin-behind.ts';
import { findSourceGlasses } from './find-source-glasses.ts';

/** Rows of the atlas in which glasses lie, with the soft edge of what is painted anew, sides. */
const CHANGED_ROWS_SIDES = { start: 0.19, end: 0.64 };
/** Deviations of the skin's colours by which skin near glasses may be bluer than around them. */
const BLUER_DEVIATIONS = 0.3;
/** Limits of the factor by which skin's colours change with its luma. */
const FADE = { least: 0.4, most: 1.2 };

/** Luma against that of the skin behind over which lids and brows show glare, or a bright rim. */
const LID_GLARE: Ramp = { from: 1.1, to: 1.3 };

/** Luma against the skin's over which an eye shows its white, or a reflection. */
const EYE_GLARE: Ramp = { from: 0.6, to: 0.8 };
/** Blue difference of an eye's white at most: of coated lenses it is more. */
const EYE_MOST_BLUE = 5;
/** Red difference of an eye's white at least: of coated lenses it is less. */
const EYE_LEAST_RED = -1;

type Row = Float32Array;

/** Skin, lids and brows that a lens or rim may tint; no eyes. */
const tinted = perLayout((layout: AtlasLayout): Float32Array => {
  const hull = glassesHull(layout);
  const { searched } = glassesZones(layout);
  const { softEyes, lids, browsSoft } = layout;
  return searched.map(
    (skin, i) => Math.max(skin, hull[i]! * Math.max(lids[i]!, browsSoft[i]!)) * (1 - softEyes[i]!),
  );
});

/**
 * Takes the glasses that a source wears off its atlas, in place: rims, their shadows and glare
 * become smooth skin with the cheeks' grain, lids in their shade are lit as what is around them,
 * and reflections lose their colour. Skin that is too plain is never noticed, half a rim always is.
 *
 * @param mid the atlas in the size in which frames are found, which `midLayout` is of
 * @param model fitted on the coarse atlas
 * @returns how much of each texel was painted anew, 0..1, in the size of `mid`
 */
export function takeOffGlasses(
  atlas: Atlas,
  layout: AtlasLayout,
  mid: Atlas,
  midLayout: AtlasLayout,
  model: SkinModel,
  make: PlaneMaker,
): Float32Array {
  const glasses = findSourceGlasses(mid, midLayout, model, make);
  const skin = skinBehind(mid, midLayout, model, glasses, make);
  const gain = lidGain(mid, midLayout, glasses, skin.luma, make);
  const grain = cheekGrain(atlas, layout);
  const tint = tinted(layout);
  const { softEyes } = layout;
  const tails = browTails(layout);
  const hairs = browColours(atlas, layout);
  const tells = colourTells(model.red);
  const { side, luma, blue, red } = atlas;
  const rows = [glasses, gain, skin.luma, skin.blue, skin.red];
  const row = rows.map(() => new Float32Array(side));
  const [share, light, skinLuma, skinBlue, skinRed] = row as [Row, Row, Row, Row, Row];
  const end = Math.ceil(CHANGED_ROWS_SIDES.end * side);
  for (let y = Math.floor(CHANGED_ROWS_SIDES.start * side); y < end; y++) {
    for (const [k, plane] of rows.entries()) enlargedRow(plane, mid.side, side / mid.side, y, row[k]!);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (share[x] === 0 && tint[i] === 0 && light[x] === 1) continue;
      luma[i]! *= light[x]!;
      const white = softEyes[i]! * ramp(EYE_GLARE, luma[i]! / Math.max(1, skinLuma[x]!));
      if (blue[i]! > EYE_MOST_BLUE) blue[i]! += white * (EYE_MOST_BLUE - blue[i]!);
      if (red[i]! < EYE_LEAST_RED) red[i]! += white * (EYE_LEAST_RED - red[i]!);
      const fade = clamp(
        (luma[i]! + LUMA_NOISE_FLOOR) / (skinLuma[x]! + LUMA_NOISE_FLOOR),
        FADE.least,
        FADE.most,
      );
      const mostBlue = skinBlue[x]! * fade + BLUER_DEVIATIONS * model.blueDeviation;
      const leastRed = skinRed[x]! * fade - BLUER_DEVIATIONS * model.redDeviation;
      if (blue[i]! > mostBlue) blue[i]! += tells * tint[i]! * (mostBlue - blue[i]!);
      if (red[i]! < leastRed) red[i]! += tells * tint[i]! * (leastRed - red[i]!);
      const glare = tint[i]! * ramp(LID_GLARE, luma[i]! / Math.max(1, skinLuma[x]!));
      if (glare > 0) luma[i]! += glare * (skinLuma[x]! - luma[i]!);
      if (share[x] === 0) continue;
      const tail = tails[i]!;
      const hair = hairs[x < side / 2 ? 0 : 1]!;
      const bare = skinLuma[x]! + tail * Math.min(0, hair.luma - skinLuma[x]!);
      luma[i]! += share[x]! * (bare * (1 + grain(x, y)) - luma[i]!);
      blue[i]! += share[x]! * (skinBlue[x]! + tail * (hair.blue - skinBlue[x]!) - blue[i]!);
      red[i]! += share[x]! * (skinRed[x]! + tail * (hair.red - skinRed[x]!) - red[i]!);
    }
  }
  return glasses;
}
