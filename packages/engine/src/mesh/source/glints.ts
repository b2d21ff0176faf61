import { dullGlints as takeGlints } from '@guise/kernels/mend.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LIGHT_SIDE, perLayout, residentCopy } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';
import type { Bands } from '../match/restore.ts';
import { spreadOf } from '../skin/spread-of.ts';

/** Detail up to so many times what this skin usually shows (standard deviations) is its own: pores, freckles, wrinkles. */
const USUAL = 3;
/** What of a glint is left beyond that: bent, so that the brightest texel stays the brightest. */
const LEFT = 0.2;
/** Less than this share brighter than the skin's light is no reflection, but what lies beside something dark. */
const LIT = 0.06;
/** Every so many texels are enough to know what is usual. */
const STRIDE = 7;
/** Bins of the detail's size: an eighth of a luma step each. */
const BINS = 512;
const BINS_A_STEP = 8;

/** 1 over bare skin and over lids and brows, where reflections are as bright; 0 over eyes, nostrils and lips, which are to shine. */
const shiningSkin = perLayout(({ oval, features, lids, browArea, softEyes }: RegionMasks): Float32Array => {
  const skin = oval.map((inside, i) => {
    const around = Math.max(lids[i]!, browArea[i]!) * (1 - Math.min(1, 2 * softEyes[i]!));
    return inside * (1 - features[i]! * (1 - around));
  });
  return residentCopy(skin);
});

/**
 * Takes glints off a source's skin, in place: spots far brighter than the detail that this skin usually shows (`bands` of the
 * atlas's luma) and than its `light`. On dark skin each is small beside the light around it; under another light and sharpness,
 * on lighter skin, they would be white specks. Smooth shine is `dullShine`'s.
 */
export function dullGlints(atlas: Atlas, light: Light, bands: Bands, layout: RegionMasks): void {
  const glints = {
    bands: [bands.fine, bands.medium, bands.broad] as const,
    skin: shiningSkin(layout),
    usual: USUAL * sizeOfDetail(bands, layout.core),
    lit: 1 + LIT,
    taken: 1 - LEFT,
  };
  // The light is smooth enough to be taken as it is.
  takeGlints(atlas, light, glints, LIGHT_SIDE, atlas.side);
}

/** Standard deviation of the detail on bare skin, luma steps, whatever few spots stray from it. */
function sizeOfDetail({ fine, medium, broad }: Bands, core: Float32Array): number {
  const histogram = new Uint32Array(BINS);
  let count = 0;
  for (let i = 0; i < core.length; i += STRIDE) {
    if (core[i]! < 0.5) continue;
    const size = Math.abs(fine[i]! + medium[i]! + broad[i]!);
    histogram[Math.min(BINS - 1, (size * BINS_A_STEP) | 0)]! += 1;
    count += 1;
  }
  return spreadOf(histogram, BINS_A_STEP, count);
}
