import { clamp } from '@guise/kernels/clamp.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { SkinModel } from './skin-model.ts';

/**
 * Limits of `notSkin` at strictness 0, and the amounts that full strictness subtracts from them.
 */
const NOT_SKIN = {
  /** Relative darkness from which a texel is not skin. */
  darkOnset: 0.46,
  darkOnsetStrict: 0.28,
  /** Width of the ramp above that darkness. */
  darkWidth: 0.16,
  /** Relative brightness from which a texel is not skin. */
  glareOnset: 0.55,
  glareOnsetStrict: 0.2,
  /** Width of the ramp above that brightness. */
  glareWidth: 0.3,
  /** Distance of a colour from skin, in its deviations, from which it is not skin. */
  colourFrom: 3.2,
  colourFromStrict: 1,
  colourTo: 4.8,
  colourToStrict: 1.4,
  /** Limits of the factor by which colour fades with light. */
  minFade: 0.4,
  maxFade: 1.2,
} as const;

/**
 * Measures how much darker than expected a luma is, as a share of the expected luma. Noise on black
 * gives 0.
 */
export function relativeDarkness(expected: number, luma: number): number {
  return (expected - luma) / (expected + LUMA_NOISE_FLOOR);
}

/**
 * Computes the certainty that a texel is not this face's bare skin, 0..1. At `strictness` 0, only
 * very different texels count; at 1, also rather dark ones (strands of hair).
 */
export function notSkin(
  model: SkinModel,
  expected: number,
  luma: number,
  blue: number,
  red: number,
  strictness: number,
): number {
  const darker = relativeDarkness(expected, luma);
  const onset = NOT_SKIN.darkOnset - NOT_SKIN.darkOnsetStrict * strictness;
  const glare = NOT_SKIN.glareOnset - NOT_SKIN.glareOnsetStrict * strictness;
  const dark =
    darker > onset
      ? smoothstep(onset, onset + NOT_SKIN.darkWidth, darker)
      : -darker > glare
        ? smoothstep(glare, glare + NOT_SKIN.glareWidth, -darker)
        : 0;
  // Colour fades with light, so skin in shade also has small colour differences.
  const scale = clamp(
    (luma + LUMA_NOISE_FLOOR) / (expected + LUMA_NOISE_FLOOR),
    NOT_SKIN.minFade,
    NOT_SKIN.maxFade,
  );
  const db = (blue - model.blue * scale) / model.blueDeviation;
  const dr = (red - model.red * scale) / model.redDeviation;
  const strayed = db * db + dr * dr;
  const near = NOT_SKIN.colourFrom - NOT_SKIN.colourFromStrict * strictness;
  if (strayed <= near * near) return dark;
  const colour = smoothstep(
    near,
    NOT_SKIN.colourTo - NOT_SKIN.colourToStrict * strictness,
    Math.sqrt(strayed),
  );
  return dark > colour ? dark : colour;
}

/**
 * Returns whether a texel is brighter and whiter than skin, because it is shiny or overexposed. If
 * the model expects more than a picture can store, a texel brighter than the skin's median is
 * enough.
 */
export function isShine(
  model: SkinModel,
  expected: number,
  luma: number,
  blue: number,
  red: number,
): boolean {
  if (luma <= expected && luma <= model.median) return false;
  return between(blue, model.blue, model.blueDeviation) && between(red, model.red, model.redDeviation);
}

function between(value: number, skin: number, spread: number): boolean {
  return value >= Math.min(0, skin) - spread && value <= Math.max(0, skin) + spread;
}
