import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { relativeDarkness } from './not-skin.ts';
import type { SkinModel } from './skin-model.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { ZONES, zonePlane } from '../uv/zones.ts';

/** Texels of a coarse plane. */
const TEXEL_COUNT = COARSE_SIDE * COARSE_SIDE;
/** Relative darkness against the cheeks over which a texel of a bearded face is beard. */
const BEARD_DARKNESS: Ramp = { from: 0.14, to: 0.3 };
/** Blurred share of beard over which a texel is covered: grey tufts and gaps are part of it. */
const COVERED_SHARE: Ramp = { from: 0.2, to: 0.6 };
/** Box radius over which a beard's gaps close and its edge is soft, texels. */
const CLOSING_RADIUS_TEXELS = 2;

/** How much of a beard each texel may be, and where all of a beard is: coarse planes. */
const beardZones = perLayout(({ oval }: AtlasLayout) => {
  const within = (share: number, i: number): number => share * oval[i]!;
  return {
    zone: zonePlane(COARSE_SIDE, ZONES.belowNose).map(within),
    muzzle: zonePlane(COARSE_SIDE, ZONES.muzzle).map(within),
  };
});

/**
 * Draws what a bearded face keeps, 0..1, coarse: moustache, mouth and chin whole, and from there
 * what is darker than the cheeks, without gaps and ending softly. Half of a beard, or a new mouth
 * in an old moustache, is seen at once.
 */
export function beardCover(
  small: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const { zone, muzzle } = beardZones(layout);
  const { features } = layout;
  const cover = make.floats(TEXEL_COUNT);
  const counted = make.floats(TEXEL_COUNT);
  for (let i = 0; i < TEXEL_COUNT; i++) {
    counted[i] = layout.oval[i]! * (1 - features[i]!);
    if (zone[i] === 0) continue;
    cover[i] = zone[i]! * ramp(BEARD_DARKNESS, relativeDarkness(model.median, small.luma[i]!));
  }
  normalisedBlur([cover], counted, COARSE_SIDE, COARSE_SIDE, CLOSING_RADIUS_TEXELS);
  for (let i = 0; i < TEXEL_COUNT; i++)
    cover[i] = zone[i] === 0 ? 0 : Math.max(muzzle[i]!, zone[i]! * ramp(COVERED_SHARE, cover[i]!));
  return cover;
}
