import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { bareSkin } from '../skin/foreign-skin.ts';
import { midlineDistance, mirrorTexel } from '../uv/texel.ts';

/**
 * Offsets in a coarse plane, across a line, to what lies on either side of it: right, down and both
 * diagonals.
 */
const ACROSS_OFFSETS = [3, 3 * COARSE_SIDE, 2 + 2 * COARSE_SIDE, 2 - 2 * COARSE_SIDE];
/** Radius around a texel within which lines are counted, coarse texels. */
const COUNTED_RADIUS_TEXELS = 3;
/** Depth of lines against the mirror image's over which they are strands of hair. */
const STRANDS_RATIO: Ramp = { from: 1.2, to: 1.8 };
/** Depth of the lines of any skin, as a share of the luma: noise. */
const SKIN_LINE_DEPTH = 0.005;
/** Distance from the midline, in sides, over which the cheek ends and the nose begins. */
const NOSE_ASIDE: Ramp = { from: 0.08, to: 0.05 };
/** Height in the atlas over which the forehead ends and the nose begins. */
const NOSE_BELOW: Ramp = { from: 0.22, to: 0.27 };

/**
 * How much more thin dark lines bare skin has than its mirror image, 0..1 for each texel of a
 * coarse atlas: single strands of hair and what shadow they throw. Steps (a shadow's edge) are no
 * lines.
 */
export function darkLines({ luma }: Atlas, layout: RegionMasks): Float32Array {
  const bare = bareSkin(layout);
  const lines = new Float32Array(luma.length);
  const weight = bare.slice();
  for (let i = 0; i < lines.length; i++) if (bare[i]! > 0) lines[i] = bare[i]! * depthAt(luma, i);
  for (const plane of [lines, weight]) boxBlur(plane, COARSE_SIDE, COARSE_SIDE, COUNTED_RADIUS_TEXELS, 2);
  const found = new Float32Array(luma.length);
  for (let i = 0; i < found.length; i++) {
    if (bare[i] === 0) continue;
    const mirrored = mirrorTexel(i, COARSE_SIDE);
    const own = lines[i]! / Math.max(0.1, weight[i]!);
    const other = lines[mirrored]! / Math.max(0.1, weight[mirrored]!);
    const nose = ramp(NOSE_ASIDE, midlineDistance(i, COARSE_SIDE)) * ramp(NOSE_BELOW, i / lines.length);
    found[i] = bare[i]! * (1 - nose) * ramp(STRANDS_RATIO, own / (other + SKIN_LINE_DEPTH));
  }
  return found;
}

/**
 * How much darker a texel is than both sides of a line through it, in shares: the most of any
 * direction.
 */
function depthAt(luma: Float32Array, i: number): number {
  let deepest = 0;
  for (const step of ACROSS_OFFSETS) {
    const one = luma[i - step] ?? 0;
    const other = luma[i + step] ?? 0;
    deepest = Math.max(deepest, (one < other ? one : other) - luma[i]!);
  }
  return deepest / (luma[i]! + LUMA_NOISE_FLOOR);
}
