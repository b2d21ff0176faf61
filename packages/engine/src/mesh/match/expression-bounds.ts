import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { expressionZones } from './expression-zones.ts';

/**
 * Mean darkness of the skin above the lips, as a share of the light, over which it is a moustache,
 * and what is dark beside the mouth a beard (measured: 0.11 to 0.28, shaven faces at most 0.10).
 */
const MOUSTACHE_DARKNESS: Ramp = { from: 0.09, to: 0.13 };
/** Largest darkening by the target's folds, as a share of the light. */
const MAX_DARKENING_SHARE = 0.06;
/** Lift, as a share of the light, over which a fold's fine line goes with its shade. */
const CREASE_LIFT: Ramp = { from: 0.01, to: 0.06 };
/** Share of fine detail that goes where a fold was: without its shade, a line is a scratch. */
const MAX_CREASE_SHARE = 0.9;
/** Levels that a difference in colour tends to: tinted lenses and blushes are no folds. */
const MAX_COLOUR_LEVELS = 6;

/** Share of the difference in colour that goes with the relief: without any, folds turn grey. */
export const COLOUR_SHARE = 0.7;

/**
 * Measures how surely a face has no moustache, 0..1: below one, what is dark beside the mouth is a
 * beard. @param luma coarse, as are `light` and the layout's zones
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
 * Bounds a step of the relief. A face that smiles too much (`surplus` above 0) goes towards plain
 * skin but not beyond, so that it takes over no fold; one that smiles too little is darkened a
 * little.
 * @param toPlain step to plain skin, in the unit of `step` and `light`
 */
export function boundedStep(step: number, toPlain: number, light: number, surplus: number): number {
  const darkest = -MAX_DARKENING_SHARE * light;
  const least = surplus > 0 ? Math.max(darkest, Math.min(0, toPlain)) : darkest;
  const most = surplus > 0 ? Math.max(0, toPlain) : 0;
  return clamp(step, least, most);
}

/** Share of its fine detail that a fold loses with such a lift, a share of the light. */
export function creaseShare(lift: number): number {
  return MAX_CREASE_SHARE * ramp(CREASE_LIFT, lift);
}

/** Nearly the levels while they are few, never beyond `MAX_COLOUR_LEVELS`. */
export function softened(levels: number): number {
  return levels / (1 + Math.abs(levels) / MAX_COLOUR_LEVELS);
}
