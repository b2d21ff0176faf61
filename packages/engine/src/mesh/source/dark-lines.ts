import { boxBlur } from '@guise/kernels/box-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { LIGHT_SIDE } from '../uv/atlas-layout.ts';
import { bareSkin } from '../skin/foreign-skin.ts';
import { midlineDistance, mirrorTexel } from '../uv/texel.ts';

/** To what lies on either side of a line, across it: light-size texels to the right and down. */
const ACROSS = [3, 3 * LIGHT_SIDE, 2 + 2 * LIGHT_SIDE, 2 - 2 * LIGHT_SIDE];
/** How far around a texel lines are counted, light-size texels. */
const NEAR = 3;
/** How many times as lined as its mirror image strands make skin, and how lined any skin is: noise, in shares of the luma. */
const LINED_FROM = 1.2;
const LINED_FULLY = 1.8;
const ANY_SKIN = 0.005;
/** Distances from the middle, in the atlas's width, between which the nose ends and a cheek begins; heights between which it sets in. */
const CHEEK_FROM = 0.05;
const CHEEK_FULLY = 0.08;
const FOREHEAD = 0.22;
const NOSE = 0.27;

/**
 * How much more thin dark lines bare skin has than its mirror image, 0..1 for each texel of a light-size atlas: single strands of hair and
 * what shadow they throw. Steps (a shadow's edge) are no lines.
 */
export function darkLines({ luma }: Atlas, layout: RegionMasks): Float32Array {
  const bare = bareSkin(layout);
  const lines = new Float32Array(luma.length);
  const weight = bare.slice();
  for (let i = 0; i < lines.length; i++) if (bare[i]! > 0) lines[i] = bare[i]! * depthAt(luma, i);
  for (const plane of [lines, weight]) boxBlur(plane, LIGHT_SIDE, LIGHT_SIDE, NEAR, 2);
  const found = new Float32Array(luma.length);
  for (let i = 0; i < found.length; i++) {
    if (bare[i] === 0) continue;
    const mirrored = mirrorTexel(i, LIGHT_SIDE);
    const own = lines[i]! / Math.max(0.1, weight[i]!);
    const other = lines[mirrored]! / Math.max(0.1, weight[mirrored]!);
    const nose =
      smoothstep(CHEEK_FULLY, CHEEK_FROM, midlineDistance(i, LIGHT_SIDE)) *
      smoothstep(FOREHEAD, NOSE, i / lines.length);
    found[i] = bare[i]! * (1 - nose) * smoothstep(LINED_FROM, LINED_FULLY, own / (other + ANY_SKIN));
  }
  return found;
}

/** How much darker a texel is than both sides of a line through it, in shares: the most of any direction. */
function depthAt(luma: Float32Array, i: number): number {
  let deepest = 0;
  for (const step of ACROSS) {
    const one = luma[i - step] ?? 0;
    const other = luma[i + step] ?? 0;
    deepest = Math.max(deepest, (one < other ? one : other) - luma[i]!);
  }
  return deepest / (luma[i]! + LUMA_NOISE_FLOOR);
}
