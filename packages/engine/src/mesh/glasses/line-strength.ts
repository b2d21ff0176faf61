import { colourTells } from '../skin/not-skin.ts';
import { medianOf } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { dilate, erode } from '../skin/extreme-filter.ts';
import type { GlassesBand } from './glasses-band.ts';

/** Half the thickness of the thickest line, sides. */
const LINE_RADIUS_SIDES = 1 / 85;
/** How many times as thick a line may be that differs in redness, which pictures hold blurred. */
const REDNESS_RADIUS_MULTIPLE = 2;
/** Strength of a line that has none of the redness beside it. */
const REDNESS_WEIGHT = 0.3;
/** Loss of redness that is nothing, as a share of the skin's: blotches. */
const REDNESS_ONSET = 0.25;
/** Multiple of the bare skin's own strength (pores, noise) that is nothing. */
const NOISE_MULTIPLE = 1.5;
/** Facing from which skin shows its own strength. */
const MIN_FACING = 0.5;

/**
 * Measures how strongly each texel of the band belongs to a thin line, in shares of the luma beside
 * it: darker or brighter than both its sides (clear rims are either), or less red.
 * @param skinRed red difference of bare skin
 */
export function lineStrength(
  atlas: Atlas,
  { core }: AtlasLayout,
  band: GlassesBand,
  skinRed: number,
): Float32Array {
  const { side, top, rows } = band;
  const { facing } = atlas;
  const radius = Math.max(1, Math.round(LINE_RADIUS_SIDES * side));
  const part = (plane: Float32Array): Float32Array => plane.slice(top * side, (top + rows) * side);
  const strength = lumaLines(part(atlas.luma), band, radius);
  if (colourTells(skinRed) > 0)
    addPaler(strength, part(atlas.red), band, REDNESS_RADIUS_MULTIPLE * radius, skinRed);
  const bare = strength.filter((_, k) => core[k + top * side]! > 0.5 && facing[k + top * side]! > MIN_FACING);
  const noise = NOISE_MULTIPLE * medianOf(bare);
  for (let k = 0; k < strength.length; k++) strength[k] = Math.max(0, strength[k]! - noise);
  return strength;
}

/** Measures lines that are darker or brighter than both their sides. */
function lumaLines(own: Float32Array, { side, rows }: GlassesBand, radius: number): Float32Array {
  const closed = own.slice();
  dilate(closed, side, rows, radius);
  erode(closed, side, rows, radius);
  const opened = own.slice();
  erode(opened, side, rows, radius);
  dilate(opened, side, rows, radius);
  return own.map((luma, k) => {
    const darker = (closed[k]! - luma) / (closed[k]! + LUMA_NOISE_FLOOR);
    const brighter = (luma - opened[k]!) / (luma + LUMA_NOISE_FLOOR);
    return darker > brighter ? darker : brighter;
  });
}

/** Adds lines that are less red than both their sides, in place. */
function addPaler(
  strength: Float32Array,
  own: Float32Array,
  { side, rows }: GlassesBand,
  radius: number,
  skinRed: number,
): void {
  const closed = own.slice();
  dilate(closed, side, rows, radius);
  erode(closed, side, rows, radius);
  const weight = REDNESS_WEIGHT * colourTells(skinRed);
  for (let k = 0; k < own.length; k++) {
    const paler = weight * ((closed[k]! - own[k]!) / skinRed - REDNESS_ONSET);
    if (paler > strength[k]!) strength[k] = paler;
  }
}
