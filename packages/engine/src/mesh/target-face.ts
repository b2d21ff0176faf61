import { boxBlur } from '@guise/kernels/box-blur.ts';
import { enlargedRow } from '@guise/kernels/plane-scale.ts';
import type { ImagePyramid } from '@guise/kernels/pyramid.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from './atlas.ts';
import { shrinkAtlas, spreadFace } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { beardlessCore, LIGHT_SIDE } from './atlas-layout.ts';
import type { Light } from './light.ts';
import { broadLight, skinLight } from './light.ts';
import type { SkinModel } from './skin-model.ts';
import { findFrames, glassesOf } from './glasses.ts';
import { fitSkin, notSkin } from './skin-model.ts';

/** What the swap needs to know of the face it replaces. */
export interface TargetFace {
  readonly atlas: Atlas;
  readonly small: Atlas;
  /** Light of the skin as it lies on the face, without stubble, hair and frames. */
  readonly light: Light;
  /** The same, only where it comes from and its tone. */
  readonly broad: Light;
  /** How surely a texel is bare skin that faces the camera, 0..1, light-size. */
  readonly skin: Float32Array;
  /** What lies in front of the face and stays, 0..1, in the atlas's size. */
  readonly occluded: Float32Array;
  /** 0: black-and-white, 1: colour. */
  readonly colour: number;
}

/** A beard darkens the skin by up to this before it counts as less; a cast shadow elsewhere is light and stays. */
const STUBBLE_ONSET = 0.06;
const STUBBLE_FULL = 0.26;
/** How far a face's colours stray from their mean, below which it counts as grey and above which as coloured. */
const GREY = 0.7;
const COLOURED = 2.2;

export function readTargetFace(
  layouts: (side: number) => AtlasLayout,
  side: number,
  pyramid: ImagePyramid,
  landmarks: Float32Array,
): TargetFace {
  const layout = layouts(side);
  const lightLayout = layouts(LIGHT_SIDE);
  const atlas = spreadFace(layout, pyramid, landmarks);
  const small = shrinkAtlas(atlas, LIGHT_SIDE);
  const model = fitSkin(small, beardlessCore(lightLayout));
  const occluded = findOccluders(atlas, layout, model);
  const glasses = glassesOf(small);
  if (glasses > 0) {
    const frames = findFrames(atlas, layout, model, 'target');
    for (let i = 0; i < occluded.length; i++) occluded[i] = Math.max(occluded[i]!, glasses * frames[i]!);
  }
  const weight = new Float32Array(LIGHT_SIDE * LIGHT_SIDE);
  let blueMean = 0;
  let redMean = 0;
  let total = 0;
  for (let i = 0; i < weight.length; i++) {
    const bare = lightLayout.oval[i]! * (1 - lightLayout.features[i]!) * (1 - lightLayout.holes[i]!);
    if (bare === 0) continue;
    const foreign = notSkin(
      model,
      model.luma[i]!,
      small.luma[i]!,
      small.blue[i]!,
      small.red[i]!,
      lightLayout.hairZone[i]!,
    );
    // Unlike a shadow, a beard darkens only where beards grow.
    const darker = (model.luma[i]! - small.luma[i]!) / (model.luma[i]! + 8);
    const stubble = lightLayout.beardZone[i]! * smoothstep(STUBBLE_ONSET, STUBBLE_FULL, darker);
    const hair =
      Math.max(lightLayout.hairZone[i]!, lightLayout.glassesZone[i]!, lightLayout.beardZone[i]!) * foreign;
    const trusted = (1 - Math.min(0.97, stubble)) * (1 - Math.min(0.99, hair));
    weight[i] = bare * trusted * Math.max(0.02, small.facing[i]!);
    blueMean += small.blue[i]!;
    redMean += small.red[i]!;
    total += 1;
  }
  // A toned black-and-white photo has one tint everywhere; skin, lips and shadows of a colour photo never do.
  let colour = 0;
  for (let i = 0; i < weight.length; i++) {
    if (lightLayout.oval[i] === 0) continue;
    colour += Math.abs(small.blue[i]! - blueMean / total) + Math.abs(small.red[i]! - redMean / total);
  }
  return {
    atlas,
    small,
    skin: weight,
    light: skinLight(small, weight),
    broad: broadLight(small, weight),
    occluded,
    colour: smoothstep(GREY, COLOURED, total > 0 ? colour / total : 0),
  };
}

/** How strictly (see `notSkin`) hair is told from skin where it grows, and where strands may hang. */
const HAIR_STRICTNESS = 0.6;
const STRAND_STRICTNESS = 0;
/** Hair and frames at least this sure stay in front. */
const OCCLUDER_ONSET = 0.3;
const OCCLUDER_FULL = 0.8;

/**
 * Hair that hangs in from the oval's upper edge: texels of the hair zone that are not skin and hang together with the
 * edge. Found on the light-size atlas (flood), edged on the full one.
 */
function findOccluders(atlas: Atlas, layout: AtlasLayout, model: SkinModel): Float32Array {
  const { side, luma, blue, red } = atlas;
  const factor = side / LIGHT_SIDE;
  const foreign = new Float32Array(side * side);
  const expected = new Float32Array(side);
  const coarse = new Float32Array(LIGHT_SIDE * LIGHT_SIDE);
  const perTexel = 1 / (factor * factor);
  for (let y = 0; y < side; y++) {
    enlargedRow(model.luma, LIGHT_SIDE, factor, y, expected);
    const coarseRow = Math.floor(y / factor) * LIGHT_SIDE;
    for (let x = 0, i = y * side; x < side; x++, i++) {
      const zone = layout.strandZone[i]! * (1 - layout.features[i]!);
      if (zone === 0) continue;
      // Further in, shading and creases are as likely as hair.
      const strictness = STRAND_STRICTNESS + (HAIR_STRICTNESS - STRAND_STRICTNESS) * layout.hairZone[i]!;
      // Shine is brighter than skin, and nearer to white.
      if (luma[i]! > expected[x]! && isShine(model, blue[i]!, red[i]!)) continue;
      const value = zone * notSkin(model, expected[x]!, luma[i]!, blue[i]!, red[i]!, strictness);
      foreign[i] = value;
      coarse[coarseRow + Math.floor(x / factor)]! += value * perTexel;
    }
  }
  const reached = floodFromEdge(coarse, layout, factor);
  const near = new Float32Array(side);
  for (let y = 0; y < side; y++) {
    enlargedRow(reached, LIGHT_SIDE, factor, y, near);
    for (let x = 0, i = y * side; x < side; x++, i++) foreign[i]! *= near[x]!;
  }
  boxBlur(foreign, layout.scratch, side, side, Math.max(1, Math.round(side / 200)), 1);
  for (let i = 0; i < foreign.length; i++)
    foreign[i] = smoothstep(OCCLUDER_ONSET, OCCLUDER_FULL, foreign[i]!);
  return foreign;
}

/** Colour differences no further from grey than the skin's own. */
function isShine(model: SkinModel, blue: number, red: number): boolean {
  return (
    Math.abs(blue) <= Math.abs(model.blue) + model.blueSpread &&
    Math.abs(red) <= Math.abs(model.red) + model.redSpread
  );
}

/** Cells above a half that hang together with the oval's edge, grown by one cell, 0 or 1. */
function floodFromEdge(coarse: Float32Array, layout: AtlasLayout, factor: number): Float32Array {
  const count = LIGHT_SIDE * LIGHT_SIDE;
  const reached = new Float32Array(count);
  const queue = new Int32Array(count);
  let tail = 0;
  const inOval = (cell: number): boolean => {
    const x = cell % LIGHT_SIDE;
    const y = (cell - x) / LIGHT_SIDE;
    return layout.oval[Math.floor((y + 0.5) * factor) * layout.side + Math.floor((x + 0.5) * factor)]! > 0;
  };
  for (let cell = LIGHT_SIDE; cell < count - LIGHT_SIDE; cell++) {
    if (coarse[cell]! < 0.5 || !inOval(cell)) continue;
    const atEdge = !inOval(cell - 2) || !inOval(cell + 2) || !inOval(Math.max(0, cell - 2 * LIGHT_SIDE));
    if (!atEdge) continue;
    reached[cell] = 1;
    queue[tail++] = cell;
  }
  for (let head = 0; head < tail; head++) {
    const cell = queue[head]!;
    for (const next of [cell - 1, cell + 1, cell - LIGHT_SIDE, cell + LIGHT_SIDE]) {
      if (next < 0 || next >= count || reached[next]! > 0 || coarse[next]! < 0.4) continue;
      reached[next] = 1;
      queue[tail++] = next;
    }
  }
  const grown = reached.slice();
  for (let i = 0; i < tail; i++) {
    const cell = queue[i]!;
    for (const next of [cell - 1, cell + 1, cell - LIGHT_SIDE, cell + LIGHT_SIDE]) {
      if (next >= 0 && next < count) grown[next] = 1;
    }
  }
  // Its steps are of the light-size atlas: they must not show as steps of the hair.
  boxBlur(grown, new Float32Array(count), LIGHT_SIDE, LIGHT_SIDE, 1, 1);
  for (let i = 0; i < count; i++) grown[i] = Math.min(1, 1.6 * grown[i]!);
  return grown;
}
