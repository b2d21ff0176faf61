import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { MatteShares } from '@guise/kernels/face/matte.ts';
import { matte } from '@guise/kernels/face/matte.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { bareSkin, floodFrom, foreignSkin, usualStrictness } from '../skin/foreign-skin.ts';
import { maxInPlace } from '../skin/max-in-place.ts';
import type { Light } from '../skin/light.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { relativeDarkness, colourTells } from '../skin/not-skin.ts';
import { decideBrows } from './kept-brows.ts';
import { midlineDistance } from '../uv/texel.ts';

const COUNT = COARSE_SIDE * COARSE_SIDE;

/** A feature is behind what covers this much of its surroundings. */
const MOST_COVERED = 0.45;
const SURELY_COVERED = 0.7;

/**
 * Finds what hangs in from the oval's edge in front of a face (hair, a hand, a mask): 0..1, coarse.
 * Texels that are not this face's skin and hang together with the edge; eyes and mouth are behind
 * it where their surroundings are, brows as `decideBrows` says.
 * @param frames of glasses, in the full atlas's size, or null: they are no part of it
 * @param beard what of a beard is kept, coarse, or null: it is part of it
 */
export function findForeground(
  small: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  frames: Float32Array | null,
  beard: Float32Array | null,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const bare = bareSkin(layout);
  const evidence = foreignSkin(small, layout, model, frames, bare, usualStrictness(layout), make);
  judgeByHue(evidence, small, layout, model, bare);
  const reached = floodFrom(evidence, evidence, layout, 1, null, make);
  if (beard) maxInPlace(reached, beard);
  overFeatures(reached, bare, layout, make);
  decideBrows(reached, layout, frames, make);
  // Its lips are part of it, whatever is around them.
  if (beard) maxInPlace(reached, beard);
  return reached;
}

/** Angle (degrees) between the colour differences of shaded skin and of bare skin: up to, and from which on it is none. */
const SAME_HUE = 5;
const OTHER_HUE = 9;
/** How much of the skin's colour differences its shade keeps: black hair keeps next to none. */
const FADED = 0.65;
const COLOURED = 0.85;
/** How many times as rich in colour for its luma as bare skin: what is darker by shade is somewhat, brown hair far more. */
const SHADED = 1.9;
const BROWN = 2.3;
/** Aside of the middle (in the atlas's width): what shades the forehead is a fringe, and stays with it; temples turn away from the light. */
const FOREHEAD = 0.22;
const TEMPLE = 0.28;
/** Where hair hangs, what is so much darker than skin, as coloured, and of this other hue is fair or red hair. */
const HAIR_ONSET = 0.18;
const HAIR_FULL = 0.28;
const HAIR_HUE = 8;
const SURE_HAIR_HUE = 12;

/**
 * Darkness alone takes a shaded temple for hair, and fair hair for a shaded temple. Shade keeps the skin's hue and nearly all of its
 * colour differences. Mends the evidence in place; without colours (black-and-white) nothing changes.
 */
function judgeByHue(
  evidence: Float32Array,
  small: Atlas,
  { hairZone, beardZone }: AtlasLayout,
  model: SkinModel,
  bare: Float32Array,
): void {
  const tells = colourTells(model.red);
  if (tells === 0) return;
  const chroma = Math.sqrt(model.blue * model.blue + model.red * model.red);
  for (let i = 0; i < COUNT; i++) {
    if (bare[i]! < 0.5) continue;
    const blue = small.blue[i]!;
    const red = small.red[i]!;
    const luma = small.luma[i]!;
    const expected = model.luma[i]!;
    const darker = relativeDarkness(expected, luma);
    if (darker <= 0) continue;
    const kept = Math.sqrt(blue * blue + red * red) / chroma;
    const turn = blue * model.red - red * model.blue;
    const hue = (Math.abs(Math.atan2(turn, blue * model.blue + red * model.red)) * 180) / Math.PI;
    const coloured = tells * smoothstep(FADED, COLOURED, kept);
    const richer = (kept * (expected + 8)) / (luma + 8);
    const shade =
      coloured *
      smoothstep(FOREHEAD, TEMPLE, midlineDistance(i, COARSE_SIDE)) *
      smoothstep(OTHER_HUE, SAME_HUE, hue) *
      smoothstep(BROWN, SHADED, richer);
    const hair =
      coloured *
      hairZone[i]! *
      (1 - beardZone[i]!) *
      smoothstep(HAIR_ONSET, HAIR_FULL, darker) *
      smoothstep(HAIR_HUE, SURE_HAIR_HUE, hue);
    evidence[i] = Math.max(evidence[i]! * (1 - shade), hair);
  }
}

/** A feature is behind what its surroundings are behind. In place. */
function overFeatures(
  reached: Float32Array,
  bare: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): void {
  const around = make.copyOf(reached);
  pushPull([around], bare, COARSE_SIDE);
  for (let i = 0; i < COUNT; i++) {
    if (layout.oval[i] === 0) reached[i] = 0;
    else reached[i]! += (1 - bare[i]!) * (smoothstep(MOST_COVERED, SURELY_COVERED, around[i]!) - reached[i]!);
  }
}

/** How far around what was found its strands are looked for: box radius, two passes, light-size texels. */
const NEAR = 2;
const MATTE: MatteShares = {
  nearOnset: 0.02,
  nearFull: 0.3,
  deepOnset: 0.75,
  mixed: 0.25,
  pure: 0.7,
  colourWeight: 1.5,
  // Luma steps.
  leastContrast: 12,
};

/**
 * How much of each texel of the full atlas is what lies in front of the face, 0..1: deep inside `foreground` all of it, around
 * its edge by where the texel's colour lies between the skin's (`light`) and that of what is in front.
 */
export function matteForeground(
  atlas: Atlas,
  small: Atlas,
  layout: AtlasLayout,
  foreground: Float32Array,
  light: Light,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const { side } = atlas;
  const near = make.copyOf(foreground);
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, NEAR, 2);
  if (!reaches(near, MATTE.nearOnset)) return make.floats(side * side);
  const front = { luma: make.copyOf(small.luma), blue: make.copyOf(small.blue), red: make.copyOf(small.red) };
  normalisedBlur([front.luma, front.blue, front.red], foreground, COARSE_SIDE, COARSE_SIDE, NEAR);
  const out = make.uninitialised(side * side);
  matte(atlas, near, front, light, { smallSide: COARSE_SIDE, side, mask: layout.oval }, MATTE, out);
  return out;
}

/** Whether any value is above this one. */
function reaches(values: Float32Array, least: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i]! > least) return true;
  return false;
}
