import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { colourTells } from '../skin/not-skin.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Where the nose's ridge below the bridge of a frame is bare, in the atlas's height. */
const RIDGE_BARE = 0.43;

/** Darker than this face's skin at that place by these shares: a frame, not the shade of an eye socket. */
const DARK_ONSET = 0.4;
const DARK_FULL = 0.58;
/** Brighter: a metal rim or the glare of a lens. */
const BRIGHT_ONSET = 0.3;
const BRIGHT_FULL = 0.5;
/** Thin lines, lighter or darker than what is around them, in the same shares: rims. Their colour is the skin's, blurred over them. */
const LINE_ONSET = 0.13;
const LINE_FULL = 0.24;
/** Where the upper rim may cross the brows, in the atlas's height. */
const RIM_TOP = 0.272;
const RIM_BELOW = 0.292;
/** Below the bridge of a frame the middle of the nose is bare, and shines: distance from the middle, in the atlas's width. */
const RIDGE_NARROW = 0.04;
const RIDGE_WIDE = 0.06;
/** Bluer and less red than shaded skin, in spreads of the skin's own colours: reflections in the lenses. */
const REFLECTION_ONSET = 3;
const REFLECTION_FULL = 5;
/** Reddishness (red difference over luma) against the bare skin's, above which something dark is shaded skin. */
const NEUTRAL = 0.6;
const SKIN_TONED = 0.95;
/** Growth of what was found, as a fraction of the side: frames have soft edges. */
const GROWTH = 1 / 170;
const GROWN_ONSET = 0.1;
const GROWN_FULL = 0.45;

/**
 * The texels of the frames, 0..1, where a target's glasses run: what is far darker or brighter than the skin `model` (fitted on the
 * light-size atlas) expects, and thin lines. Eyes and lids are left out; the skin behind the lenses is not part of it. Only what surely
 * is rim is to stay, though it crosses a brow.
 */
export function findFrames(atlas: Atlas, layout: AtlasLayout, model: SkinModel): Float32Array {
  const { side, luma } = atlas;
  const factor = side / COARSE_SIDE;
  const around = luma.slice();
  boxBlur(around, side, side, Math.max(1, Math.round(side / 64)), 2);
  const expected = new Float32Array(side);
  const { glassesZone, lids, browsSoft, oval } = layout;
  const frames = new Float32Array(side * side);
  const tells = colourTells(model.red);
  for (let y = 0; y < side; y++) {
    enlargedRow(model.luma, COARSE_SIDE, factor, y, expected);
    const upper = smoothstep(RIM_BELOW, RIM_TOP, (y + 0.5) / side);
    const ridge = smoothstep(RIDGE_BARE - 0.02, RIDGE_BARE, (y + 0.5) / side);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      const open = glassesZone[i]! * (1 - lids[i]!);
      if (open === 0) continue;
      const level = expected[x]! + 8;
      const darker = (expected[x]! - luma[i]!) / level;
      const middle = ridge * smoothstep(RIDGE_WIDE, RIDGE_NARROW, midlineDistance(i, side));
      const zone = open * (1 - middle) * (1 - upper * browsSoft[i]!);
      if (zone === 0) continue;
      const line = Math.abs(luma[i]! - around[i]!) / level;
      const reddish = (atlas.red[i]! * level) / (model.red * (luma[i]! + 8));
      const shade = oval[i]! * tells * smoothstep(NEUTRAL, SKIN_TONED, reddish);
      const fade = Math.max(0, Math.min(1.2, (luma[i]! + 8) / level));
      const pale =
        (atlas.blue[i]! - model.blue * fade) / model.blueDeviation -
        (atlas.red[i]! - model.red * fade) / model.redDeviation;
      frames[i] =
        zone *
        Math.max(
          (1 - shade) * smoothstep(DARK_ONSET, DARK_FULL, darker),
          smoothstep(BRIGHT_ONSET, BRIGHT_FULL, -darker),
          smoothstep(LINE_ONSET, LINE_FULL, line),
          tells * smoothstep(REFLECTION_ONSET, REFLECTION_FULL, pale),
        );
    }
  }
  boxBlur(frames, side, side, Math.max(1, Math.round(side * GROWTH)), 2);
  for (let i = 0; i < frames.length; i++)
    if (frames[i] !== 0) frames[i] = smoothstep(GROWN_ONSET, GROWN_FULL, frames[i]!);
  return frames;
}
