import type { ColourPlanes } from '@guise/kernels/face/relight.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';

/** Share of a face's features that counts as its darkest: lashes, pupils and nostrils. */
const DARKEST_SHARE = 0.01;
/**
 * Luma of the darkest features over the skin's up to which a picture is clear. Measured: 0.04 to
 * 0.36 in clear pictures, 0.57 to 0.63 in hazy ones.
 */
const MAX_CLEAR_SHARE = 0.4;
/** Largest veil, as a share of the skin's luma. Faces without a dark feature also look veiled. */
const MAX_VEIL_SHARE = 0.5;
/** Number of levels of an 8-bit luma. */
const LUMA_LEVELS = 256;

export interface Veil {
  /** Luma that is added to the whole picture; 0 in a clear picture. */
  readonly luma: number;
  /**
   * Factor by which contrast and colour would grow without the veil, if the skin stays as bright; 1
   * in a clear picture.
   */
  readonly gain: number;
}

/**
 * Measures the luma that haze, stray light and faded blacks add to the whole picture. A new face
 * must not be darker than that luma, which is estimated from the darkest parts of the face in the
 * picture (dark channel prior: He et al., Single Image Haze Removal, 2009). A face too small or
 * blurred to have dark parts also counts as veiled, because the features of a new face must be as
 * faint.
 * @param small in a coarse atlas
 * @param skin certainty that a texel is bare skin, 0..1, of the same size
 */
export function veilOf(small: Atlas, skin: Float32Array, { oval, features }: RegionMasks): Veil {
  const histogram = new Uint32Array(LUMA_LEVELS);
  let count = 0;
  let lumaSum = 0;
  let total = 0;
  for (let i = 0; i < COARSE_SIDE * COARSE_SIDE; i++) {
    const luma = small.luma[i]!;
    lumaSum += skin[i]! * luma;
    total += skin[i]!;
    if (oval[i]! < 0.9 || features[i]! < 0.5) continue;
    histogram[Math.max(0, Math.min(LUMA_LEVELS - 1, Math.round(luma)))]! += 1;
    count += 1;
  }
  if (total === 0) return { luma: 0, gain: 1 };
  let darkest = 0;
  for (let below = histogram[0]!; below < DARKEST_SHARE * count; below += histogram[darkest]!) darkest += 1;
  const usual = lumaSum / total;
  const share = Math.max(
    0,
    Math.min(MAX_VEIL_SHARE, (darkest / usual - MAX_CLEAR_SHARE) / (1 - MAX_CLEAR_SHARE)),
  );
  return { luma: share * usual, gain: 1 / (1 - share) };
}

/** Removes the veil from a picture of a face, in place. Skin stays as bright as it was. */
export function liftVeil({ luma, blue, red }: ColourPlanes, veil: Veil): void {
  for (let i = 0; i < luma.length; i++) {
    luma[i] = Math.max(0, veil.gain * (luma[i]! - veil.luma));
    blue[i]! *= veil.gain;
    red[i]! *= veil.gain;
  }
}

/** Takes the luma of a veil off a plane, in place. No texel gets darker than black. */
export function takeVeil(plane: Float32Array, veil: number): void {
  for (let i = 0; i < plane.length; i++) plane[i] = Math.max(0, plane[i]! - veil);
}

/** Adds a value to each texel of a plane, in place. */
export function addToAll(plane: Float32Array, value: number): void {
  for (let i = 0; i < plane.length; i++) plane[i]! += value;
}
