import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { expressionZones } from './expression-zones.ts';

/**
 * Darkness of the skin above the lips, as a fraction of the light. 0 at `from`: the face is shaven;
 * 1 at `to`: it has a moustache, so dark skin beside the mouth is a beard. Measured: shaven up to
 * 0.10, moustaches 0.11 to 0.28.
 */
const MOUSTACHE_DARKNESS: Ramp = { from: 0.09, to: 0.13 };
/** Largest share of the light by which the target's folds may darken a face. */
const MAX_DARKENING_SHARE = 0.06;
/**
 * Brightening of a fold, as a fraction of the light. 0 at `from`: its fine line stays; 1 at `to`:
 * the line is removed.
 */
const CREASE_LIFT: Ramp = { from: 0.01, to: 0.06 };
/**
 * Largest share of fine detail to remove with a fold, because a line without shade looks like a
 * scratch.
 */
const MAX_CREASE_SHARE = 0.9;
/** Limit of a difference in colour, levels. Larger differences are tinted lenses and blushes. */
const MAX_COLOUR_LEVELS = 6;

/**
 * Share of the colour difference that changes together with the relief. At 0, folds would turn
 * grey.
 */
export const COLOUR_SHARE = 0.7;

/**
 * Returns the certainty that a face has no moustache, 0..1. The lower the certainty, the more dark
 * skin beside the mouth counts as a beard.
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
 * Limits a step of the relief. If the face smiles too much (`surplus` above 0), it moves towards
 * plain skin and not beyond, so that it gets no new fold. Otherwise it may only darken a little.
 * @param toPlain step to plain skin, in the unit of `step` and `light`
 */
export function boundedStep(step: number, toPlain: number, light: number, surplus: number): number {
  const darkest = -MAX_DARKENING_SHARE * light;
  const least = surplus > 0 ? Math.max(darkest, Math.min(0, toPlain)) : darkest;
  const most = surplus > 0 ? Math.max(0, toPlain) : 0;
  return clamp(step, least, most);
}

/**
 * Returns the share of fine detail to remove from a fold that is brightened by `lift`, a share of
 * the light.
 */
export function creaseShare(lift: number): number {
  return MAX_CREASE_SHARE * ramp(CREASE_LIFT, lift);
}

/** Limits levels softly: small values hardly change, and none exceeds `MAX_COLOUR_LEVELS`. */
export function softened(levels: number): number {
  return levels / (1 + Math.abs(levels) / MAX_COLOUR_LEVELS);
}
