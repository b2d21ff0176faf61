import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { expressionZones } from './expression-zones.ts';

/**
 * Mean darkness of the skin above the lips, as a share of the light, from shaven to a moustache,
 * which makes dark skin beside the mouth a beard (measured: 0.11 to 0.28, shaven up to 0.10).
 */
const MOUSTACHE_DARKNESS: Ramp = { from: 0.09, to: 0.13 };
/** Largest share of the light by which the target's folds may darken a face. */
const MAX_DARKENING_SHARE = 0.06;
/** Lift of a fold, as a share of the light, from where its fine line stays to where it goes. */
const CREASE_LIFT: Ramp = { from: 0.01, to: 0.06 };
/** Largest share of fine detail to remove with a fold: without its shade, a line is a scratch. */
const MAX_CREASE_SHARE = 0.9;
/** Limit of a difference in colour, levels: tinted lenses and blushes are not folds. */
const MAX_COLOUR_LEVELS = 6;

/** Share of the difference in colour that follows the relief; without it, folds turn grey. */
export const COLOUR_SHARE = 0.7;

/**
 * Measures how surely a face has no moustache, 0..1. Below one, dark skin beside the mouth is a
 * beard.
 */
export function shavenShare(luma: Float32Array, light: Float32Array, layout: AtlasLayout): number {
  const { upperLip } = expressionZones(layout.at(COARSE_SIDE));
  let sum = 0;
  let total = 1e-6;
  for (let i = 0; i < upperLip.length; i++) {
    sum += upperLip[i]! * (1 - luma[i]! / Math.max(1, light[i]!));
    total += upperLip[i]!;
  }
  return 1 - ramp(MOUSTACHE_DARKNESS, sum / total);
}

/**
 * Limits a step of the relief. A face that smiles too much (`surplus` above 0) moves towards plain
 * skin but not beyond, so that it gets no new fold; one that smiles too little darkens a little.
 * @param toPlain step to plain skin, in the unit of `step` and `light`
 */
export function boundedStep(step: number, toPlain: number, light: number, surplus: number): number {
  const darkest = -MAX_DARKENING_SHARE * light;
  const least = surplus > 0 ? Math.max(darkest, Math.min(0, toPlain)) : darkest;
  const most = surplus > 0 ? Math.max(0, toPlain) : 0;
  return clamp(step, least, most);
}

/** Returns the share of fine detail that a fold loses by a lift in shares of the light. */
export function creaseShare(lift: number): number {
  return MAX_CREASE_SHARE * ramp(CREASE_LIFT, lift);
}

/** Returns about the levels while they are few, and never more than `MAX_COLOUR_LEVELS`. */
export function softened(levels: number): number {
  return levels / (1 + Math.abs(levels) / MAX_COLOUR_LEVELS);
}
