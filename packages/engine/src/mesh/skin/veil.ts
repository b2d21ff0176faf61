import type { ColourPlanes } from '@guise/kernels/face/relight.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';

/** Share of a face's features that is its darkest: lashes, pupils and nostrils. */
const DARKEST_SHARE = 0.01;
/**
 * Luma of the darkest features, over the skin's, up to which a picture is clear: 0.04 to 0.36 were
 * measured, 0.57 to 0.63 in hazy ones.
 */
const MAX_CLEAR_SHARE = 0.4;
/** Largest veil, as a share of the skin's luma: faces without a dark feature look veiled too. */
const MAX_VEIL_SHARE = 0.5;
/** Levels of an 8-bit luma. */
const LUMA_LEVELS = 256;

export interface Veil {
  /** Luma that lies over all of the picture; 0 in clear ones. */
  readonly luma: number;
  /**
   * How much more contrast and colour there would be without it, for skin as bright; 1 in clear
   * pictures.
   */
  readonly gain: number;
}

/**
 * Haze, stray light and faded blacks add the same luma to all of a picture. What is drawn into it
 * must not be darker than that, so it is told from the darkest of the face that is there (dark
 * channel prior: He et al., Single Image Haze Removal, 2009). Faces too small or blurred to have
 * anything dark are the same case: there a new one's features are to be as faint.
 *
 * @param small in a coarse atlas
 * @param skin how surely a texel is bare skin, 0..1, of the same size
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

/** Takes the veil off a picture of a face, in place; skin stays as bright as it was. */
export function liftVeil({ luma, blue, red }: ColourPlanes, veil: Veil): void {
  for (let i = 0; i < luma.length; i++) {
    luma[i] = Math.max(0, veil.gain * (luma[i]! - veil.luma));
    blue[i]! *= veil.gain;
    red[i]! *= veil.gain;
  }
}

/** Adds a value to each texel of a plane, in place. */
export function addToAll(plane: Float32Array, value: number): void {
  for (let i = 0; i < plane.length; i++) plane[i]! += value;
}
