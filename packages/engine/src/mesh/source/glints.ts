import { dullGlints as takeGlints } from '@guise/kernels/face/mend.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE, perLayout, residentCopy } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';
import type { Bands } from '../match/restore.ts';
import { robustStd } from '../skin/robust-std.ts';

/**
 * Multiple of the standard deviation up to which detail belongs to the skin: pores, freckles,
 * wrinkles.
 */
const USUAL_DEVIATIONS = 3;
/**
 * Share of a glint above that limit to keep: bent, so that the brightest texel stays the brightest.
 */
const LEFT_SHARE = 0.2;
/** Relative brightness below which a texel does not reflect, but is next to something dark. */
const MIN_REFLECTION = 0.06;
/** Step between the texels to measure: every seventh is enough. */
const SAMPLE_STEP = 7;
/** Bins of the histogram of the detail's size. */
const BIN_COUNT = 512;
/** Number of bins for one level of luma. */
const BINS_PER_LEVEL = 8;

/**
 * 1 over bare skin and over lids and brows, which reflect as brightly; 0 over eyes, nostrils and
 * lips, which should shine.
 */
const shiningSkin = perLayout(({ oval, features, lids, browArea, softEyes }: RegionMasks): Float32Array => {
  const skin = oval.map((inside, i) => {
    const around = Math.max(lids[i]!, browArea[i]!) * (1 - Math.min(1, 2 * softEyes[i]!));
    return inside * (1 - features[i]! * (1 - around));
  });
  return residentCopy(skin);
});

/**
 * Removes glints from a source's skin, in place: spots far brighter than this skin's usual detail
 * (`bands` of the atlas's luma) and than its `light`. On dark skin each is small compared with the
 * light around it; on lighter skin, under other light and sharpness, it would be a white speck.
 * `dullShine` removes smooth shine.
 */
export function dullGlints(atlas: Atlas, light: Light, bands: Bands, layout: RegionMasks): void {
  const glints = {
    bands: [bands.fine, bands.medium, bands.broad] as const,
    skin: shiningSkin(layout),
    usual: USUAL_DEVIATIONS * sizeOfDetail(bands, layout.core),
    lit: 1 + MIN_REFLECTION,
    taken: 1 - LEFT_SHARE,
  };
  // The light is smooth enough to be used as it is.
  takeGlints(atlas, light, glints, COARSE_SIDE, atlas.side);
}

/**
 * Measures the standard deviation of detail on bare skin, levels of luma, ignoring a few outliers.
 */
function sizeOfDetail({ fine, medium, broad }: Bands, core: Float32Array): number {
  const histogram = new Uint32Array(BIN_COUNT);
  let count = 0;
  for (let i = 0; i < core.length; i += SAMPLE_STEP) {
    if (core[i]! < 0.5) continue;
    const size = Math.abs(fine[i]! + medium[i]! + broad[i]!);
    histogram[Math.min(BIN_COUNT - 1, (size * BINS_PER_LEVEL) | 0)]! += 1;
    count += 1;
  }
  return robustStd(histogram, BINS_PER_LEVEL, count);
}
