import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import { dilate, erode } from './extreme-filter.ts';

/** Lines of the band of the atlas in which glasses lie: planes of its rows `top` up to `bottom`. */
export interface GlassesBand {
  readonly side: number;
  readonly top: number;
  readonly rows: number;
}

/** Height in the atlas at which the band begins. */
const TOP_SIDES = 0.2;
/** Height in the atlas at which the band ends. */
const BOTTOM_SIDES = 0.64;

export function glassesBand(side: number): GlassesBand {
  const top = Math.floor(TOP_SIDES * side);
  return { side, top, rows: Math.ceil(BOTTOM_SIDES * side) - top };
}

/** How much more a line must differ in redness than in luma to be as strong. */
const REDNESS_WEIGHT = 0.3;
/** Loss of redness that counts as nothing: blotches of skin. */
const REDNESS_ONSET = 0.25;

/**
 * How strongly each texel of the band belongs to a line at most twice `radius` thick, in shares of
 * the luma beside it: darker or brighter than both its sides, or less red.
 */
export function lineStrength(
  { luma, red }: Atlas,
  { side, top, rows }: GlassesBand,
  radius: number,
  skinRed: number,
): Float32Array {
  const part = (plane: Float32Array): Float32Array => plane.slice(top * side, (top + rows) * side);
  const own = part(luma);
  const strength = new Float32Array(own.length);
  const closed = part(luma);
  dilate(closed, side, rows, radius);
  erode(closed, side, rows, radius);
  const opened = part(luma);
  erode(opened, side, rows, radius);
  dilate(opened, side, rows, radius);
  for (let k = 0; k < own.length; k++) {
    const darker = (closed[k]! - own[k]!) / (closed[k]! + LUMA_NOISE_FLOOR);
    const brighter = (own[k]! - opened[k]!) / (own[k]! + LUMA_NOISE_FLOOR);
    strength[k] = darker > brighter ? darker : brighter;
  }
  if (skinRed < 6) return strength;
  const ownRed = part(red);
  const closedRed = part(red);
  dilate(closedRed, side, rows, 2 * radius);
  erode(closedRed, side, rows, 2 * radius);
  for (let k = 0; k < own.length; k++) {
    const paler = REDNESS_WEIGHT * ((closedRed[k]! - ownRed[k]!) / skinRed - REDNESS_ONSET);
    if (paler > strength[k]!) strength[k] = paler;
  }
  return strength;
}
