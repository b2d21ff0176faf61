import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { robustStd } from './robust-std.ts';
import { texelsWhere } from '../uv/texel.ts';

/** Number of texels of bare skin to measure. */
const SAMPLE_COUNT = 2000;
/** Distance, texels, of the points with which a texel is compared, which is wider than grain. */
const REACH_TEXELS = 4;
/** Coverage by things in front above which a texel does not count. */
const MAX_FRONT = 0.1;
/** Facing below which a texel does not count. */
const MIN_FACING = 0.4;
/** Number of samples below which nothing is measured. */
const MIN_COUNT = 200;
/** Number of bins of a histogram of roughness, and number of bins per level of luma. */
const [BIN_COUNT, BINS_PER_LEVEL] = [512, 16];

/** Samples the visible bare skin. Returns null if there are too few texels to measure. */
export function seenSkin(
  facing: Float32Array,
  occluded: Float32Array,
  layout: AtlasLayout,
): Uint32Array | null {
  const texels = sampledSkin(layout).filter((i) => occluded[i]! <= MAX_FRONT && facing[i]! >= MIN_FACING);
  return texels.length < MIN_COUNT ? null : texels;
}

/**
 * Measures how much texels differ from those around them, as a standard deviation in levels of
 * luma.
 */
export function roughness(luma: Float32Array, texels: Uint32Array, side: number): number {
  const histogram = new Uint32Array(BIN_COUNT);
  const down = REACH_TEXELS * side;
  for (const i of texels) {
    const around =
      meanOfNine(luma, i - REACH_TEXELS, side) +
      meanOfNine(luma, i + REACH_TEXELS, side) +
      meanOfNine(luma, i - down, side) +
      meanOfNine(luma, i + down, side);
    const step = Math.abs(meanOfNine(luma, i, side) - around / 4);
    histogram[Math.min(BIN_COUNT - 1, (BINS_PER_LEVEL * step) | 0)]! += 1;
  }
  return robustStd(histogram, BINS_PER_LEVEL, texels.length);
}

/** Averages a texel and its neighbours, which removes the noise of single texels. */
function meanOfNine(luma: Float32Array, i: number, side: number): number {
  let sum = 0;
  for (let row = i - side; row <= i + side; row += side) sum += luma[row - 1]! + luma[row]! + luma[row + 1]!;
  return sum / 9;
}

/** Sample texels spread over the bare skin. */
const sampledSkin = perLayout(({ core, opacity }: RegionMasks): Uint32Array => {
  const skin = texelsWhere(core.length, (i) => core[i]! > 0.5 && opacity[i]! >= 0.9);
  const step = Math.max(1, Math.floor(skin.length / SAMPLE_COUNT));
  return skin.filter((_, k) => k % step === 0);
});
