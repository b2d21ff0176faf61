import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { robustStd } from '../skin/robust-std.ts';
import { texelsWhere } from '../uv/texel.ts';

/**
 * Box radius of the skin texture that a too smooth face copies from the target, texels. Wider
 * texture belongs to the person (measured).
 */
export const SMOOTH_SKIN_TEXELS = 2;
/** Number of texels of bare skin to measure. */
const SAMPLE_COUNT = 2000;
/** Distance, texels, of the points with which a texel is compared, which is wider than grain. */
const REACH_TEXELS = 4;
/** Coverage by things in front above which a texel does not count. */
const MAX_FRONT = 0.1;
/** Facing of the target below which a texel does not count. */
const MIN_FACING = 0.4;
/** Number of samples below which nothing is measured. */
const MIN_COUNT = 200;
/** Roughness, levels, below which the target's skin counts as smooth, and nothing is copied. */
const MIN_ROUGHNESS_LEVELS = 1;
/** Roughness over the target's. 0 at `from`: skin looks natural; 1 at `to`: it looks like wax. */
const TOO_SMOOTH: Ramp = { from: 0.55, to: 0.38 };
/**
 * Largest share of the target's skin texture to copy. The full texture costs likeness (measured).
 */
const MAX_TAKEN = 0.7;
/** Number of bins of a histogram of roughness, and number of bins per level of luma. */
const [BIN_COUNT, BINS_PER_LEVEL] = [512, 16];

/**
 * Computes how much of the target's skin texture the lit face copies, 0..0.7. The face copies
 * texture if its own skin looks too smooth next to the target's, because of soft light or
 * retouching.
 */
export function tooSmoothShare(
  lit: Float32Array,
  { atlas, occluded }: Pick<TargetFace, 'atlas' | 'occluded'>,
  layout: AtlasLayout,
): number {
  const texels = seenSkin(atlas.facing, occluded, layout);
  if (texels === null) return 0;
  const wanted = roughness(atlas.luma, texels, layout.side);
  if (wanted < MIN_ROUGHNESS_LEVELS) return 0;
  return MAX_TAKEN * ramp(TOO_SMOOTH, roughness(lit, texels, layout.side) / wanted);
}

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
