import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { dilate, erode } from '@guise/kernels/filter/extremes.ts';
import type { Light } from '../skin/light.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import { DARK_FLOOR_LUMA } from './compose.ts';

/** Box radius of a shade or a shine, texels. Lines and pores are finer. */
const RELIEF_RADIUS_TEXELS = 1;
/**
 * Distance, texels, within which the target may have an equally strong shade, because faces differ.
 */
const REACH_TEXELS = 2;
/** Share of the light by which a shade or a shine may exceed the target's. */
const OWN_RELIEF = 0.015;
/** Box radius of the blur that smooths the result, texels. */
const EDGE_RADIUS_TEXELS = 1;

/**
 * Computes, as a share of the light in a coarse plane, how much to brighten a face's shades and to
 * darken its shine, so that they do not exceed what the target's skin shows there or nearby. Half
 * of a shade on dark skin comes from reflections, so on light skin it looks like dirt or powder,
 * and on a face that moves like paint.
 * @param small the lit face in a coarse atlas
 * @param light with which the face was lit
 * @param share of the excess to remove, 0..1
 */
export function shadeLifts(
  small: AtlasColours,
  target: TargetFace,
  light: Light,
  share: number,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const skin = make.copyOf(shadedSkin(layout));
  const own = reliefOf(small, light, make);
  normalisedBlur([own], skin, COARSE_SIDE, COARSE_SIDE, RELIEF_RADIUS_TEXELS);
  const least = reliefOf(target.small, light, make);
  for (let i = 0; i < skin.length; i++) skin[i]! *= target.skin[i]!;
  normalisedBlur([least], skin, COARSE_SIDE, COARSE_SIDE, RELIEF_RADIUS_TEXELS);
  const most = make.copyOf(least);
  erode(least, COARSE_SIDE, COARSE_SIDE, REACH_TEXELS);
  dilate(most, COARSE_SIDE, COARSE_SIDE, REACH_TEXELS);
  for (let i = 0; i < own.length; i++) {
    const darker = Math.max(0, Math.min(0, least[i]!) - OWN_RELIEF - own[i]!);
    const brighter = Math.min(0, Math.max(0, most[i]!) + OWN_RELIEF - own[i]!);
    own[i] = share * (darker + brighter);
  }
  boxBlur(own, COARSE_SIDE, COARSE_SIDE, EDGE_RADIUS_TEXELS, 2);
  return own;
}

/** Skin of the face and of its lids, without eyes, brows, nostrils and lips. */
const shadedSkin = perLayout(
  ({ oval, features, holes, softEyes, lids, browArea, browsSoft }: RegionMasks): Float32Array =>
    oval.map((inside, i) => {
      const around = Math.max(lids[i]!, browArea[i]!) * (1 - browsSoft[i]!);
      const seen = inside * (1 - Math.min(1, softEyes[i]! + holes[i]!));
      return seen * (1 - features[i]! * (1 - around));
    }),
);

/** Measures how much lighter than its light a face is, as a share of the light. */
function reliefOf({ luma }: Pick<AtlasColours, 'luma'>, light: Light, make: PlaneMaker): Float32Array {
  const relief = make.uninitialised(luma.length);
  for (let i = 0; i < relief.length; i++)
    relief[i] = (luma[i]! - light.luma[i]!) / (light.luma[i]! + DARK_FLOOR_LUMA);
  return relief;
}
