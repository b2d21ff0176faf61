import { clamp } from '@guise/kernels/clamp.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';

/** Limits of the factor by which skin's colour fades with its light. */
const MAX_FADE = 1.2;

/**
 * Measures how much bluer and less red than this face's skin a texel is, in deviations of the
 * skin's colours. `expected`: luma of the skin there.
 */
export function bluerThanSkin(
  model: SkinModel,
  expected: number,
  luma: number,
  blue: number,
  red: number,
): number {
  const fade = clamp((luma + LUMA_NOISE_FLOOR) / (expected + LUMA_NOISE_FLOOR), 0, MAX_FADE);
  return (blue - model.blue * fade) / model.blueDeviation - (red - model.red * fade) / model.redDeviation;
}
