import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { SkinModel } from '../skin/skin-model.ts';

/** Contrast of a brow to its skin, as a share of the other brow's, up to which it may shine. */
const MAX_CONTRAST_SHARE = 0.7;
/** Contrast of the other brow above which hair hangs over it: it is no brow to take. */
const MAX_CONTRAST = 0.55;
/** Contrast of the shining brow below which it is no brow at all. */
const MIN_CONTRAST = 0.15;
/** Levels of blue difference by which a reflection makes a brow bluer than the other one. */
const MIN_BLUER_LEVELS = 5;

/** A half of the face: what its brow looks like. */
interface Brow {
  /** How much darker than the skin around it, 0..1. */
  readonly contrast: number;
  readonly blue: number;
}

/**
 * Finds a brow that mirrors the sky or a window: paler and bluer than the other one, which is to be
 * taken in its stead. Relit, it would be grey beside a black one.
 * @param small coarse atlas
 * @returns that brow, 0..1, coarse; null where neither shines
 */
export function findShiningBrow(small: Atlas, layout: AtlasLayout, model: SkinModel): Float32Array | null {
  const brows = [0, 1].map((half) => browOf(half, small, layout, model)) as [Brow, Brow];
  const paler = brows[0].contrast < brows[1].contrast ? 0 : 1;
  const one = brows[paler];
  const other = brows[1 - paler]!;
  const shines =
    one.contrast >= MIN_CONTRAST &&
    one.contrast <= MAX_CONTRAST_SHARE * other.contrast &&
    other.contrast <= MAX_CONTRAST &&
    one.blue >= other.blue + MIN_BLUER_LEVELS;
  if (!shines) return null;
  const { features, browArea } = layout;
  return features.map((feature, i) => (halfOf(i) === paler ? Math.min(feature, browArea[i]!) : 0));
}

function browOf(half: number, { luma, blue }: Atlas, { browsSoft }: AtlasLayout, model: SkinModel): Brow {
  let total = 1e-6;
  let lumaSum = 0;
  let skinSum = 1e-6;
  let blueSum = 0;
  for (let i = 0; i < browsSoft.length; i++) {
    if (browsSoft[i]! <= 0.5 || halfOf(i) !== half) continue;
    total += 1;
    lumaSum += luma[i]!;
    skinSum += model.luma[i]!;
    blueSum += blue[i]!;
  }
  return { contrast: 1 - lumaSum / skinSum, blue: blueSum / total };
}

/** 0: the image's left half of a coarse plane, 1: the right one. */
function halfOf(texel: number): number {
  return texel % COARSE_SIDE < COARSE_SIDE / 2 ? 0 : 1;
}
