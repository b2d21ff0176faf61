import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE, perLayout, residentCopy } from '../uv/atlas-layout.ts';
import type { SkinModel } from './skin-model.ts';
import { notSkin } from './not-skin.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Texels of a coarse plane. */
const TEXEL_COUNT = COARSE_SIDE * COARSE_SIDE;

/**
 * Strictness (see `notSkin`) where hair grows; further in, shading and creases are as likely as
 * hair.
 */
const HAIR_STRICTNESS = 0.6;
/**
 * Strictness that is taken off beside the jaw, where hair hangs less often and shadows lie more
 * often.
 */
const JAW_LENIENCE = 0.4;
/** Evidence from which something hangs in from the edge. */
const SEED_EVIDENCE = 0.5;
/** Evidence down to which it is followed inwards. */
const FOLLOWED_EVIDENCE = 0.4;
/** Share of a texel's mirror image from which the photo does not show it. */
const UNSEEN_SHARE = 0.5;

/** 1 over bare skin, falling to 0 over brows, eyes, nostrils and lips and outside the oval. */
export const bareSkin = perLayout(({ oval, features, holes }: RegionMasks): Float32Array =>
  residentCopy(oval.map((inside, i) => (inside === 0 ? 0 : 1 - Math.max(features[i]!, holes[i]!)))),
);

/** How strictly `foreignSkin` looks at the texels of any face. */
export const usualStrictness = perLayout(({ hairZone, beardZone }: RegionMasks): Float32Array =>
  hairZone.map((hair, i) => hair * (HAIR_STRICTNESS - JAW_LENIENCE * beardZone[i]!)),
);

/**
 * Measures how surely, 0..1, each texel of a coarse atlas is not this face's skin; glasses and
 * features are 0.
 * @param glasses in the full atlas's size, or null
 * @param strictness of each texel, see `notSkin`
 */
export function foreignSkin(
  small: Atlas,
  layout: RegionMasks,
  model: SkinModel,
  glasses: Float32Array | null,
  bare: Float32Array,
  strictness: Float32Array,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  // Glasses reach in from the edge too, and would lead on to the brows.
  const underGlasses = glasses ? shrinkSquare(glasses, Math.sqrt(glasses.length), COARSE_SIDE) : null;
  const evidence = make.floats(TEXEL_COUNT);
  const { beardZone } = layout;
  for (let i = 0; i < TEXEL_COUNT; i++) {
    if (bare[i]! < 0.5) continue;
    const luma = small.luma[i]!;
    // A mask is as bright and white, but over the jaw.
    if (beardZone[i]! < 0.5 && isShine(model, model.luma[i]!, luma, small.blue[i]!, small.red[i]!)) continue;
    evidence[i] = notSkin(model, model.luma[i]!, luma, small.blue[i]!, small.red[i]!, strictness[i]!);
    if (underGlasses) evidence[i]! *= 1 - Math.min(1, 2 * underGlasses[i]!);
  }
  return evidence;
}

/**
 * Brighter than skin and nearer to white: shine, and what the sun has burnt out. Where the model
 * expects more than a picture can hold, brighter than the skin's median is enough.
 */
export function isShine(
  model: SkinModel,
  expected: number,
  luma: number,
  blue: number,
  red: number,
): boolean {
  if (luma <= expected && luma <= model.median) return false;
  return between(blue, model.blue, model.blueDeviation) && between(red, model.red, model.redDeviation);
}

function between(value: number, skin: number, spread: number): boolean {
  return value >= Math.min(0, skin) - spread && value <= Math.max(0, skin) + spread;
}

/** Offsets to the four neighbours of a texel. */
const NEIGHBOURS = [-1, 1, -COARSE_SIDE, COARSE_SIDE];

/**
 * Cells of `lead` that hang together with a seed at the oval's edge, at the outline of what a photo
 * shows (beyond it is `unseen`), or further aside than `sides`: 0 or 1. Coarse planes.
 */
export function floodFrom(
  seeds: Float32Array,
  lead: Float32Array,
  { oval }: RegionMasks,
  sides = 1,
  unseen: Float32Array | null = null,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const reached = make.floats(TEXEL_COUNT);
  const queue = make.uninitialised(TEXEL_COUNT);
  let tail = 0;
  for (let cell = 0; cell < TEXEL_COUNT; cell++) {
    if (seeds[cell]! < SEED_EVIDENCE) continue;
    if (midlineDistance(cell, COARSE_SIDE) <= sides && !isAtEdge(oval, cell) && !isAtOutline(unseen, cell))
      continue;
    reached[cell] = 1;
    queue[tail++] = cell;
  }
  for (let head = 0; head < tail; head++) {
    const cell = queue[head]!;
    for (const step of NEIGHBOURS) {
      const next = cell + step;
      if (isOut(oval, next) || reached[next]! > 0 || lead[next]! < FOLLOWED_EVIDENCE) continue;
      reached[next] = 1;
      queue[tail++] = next;
    }
  }
  return reached;
}

function isAtEdge(oval: Float32Array, cell: number): boolean {
  for (const step of NEIGHBOURS) if (isOut(oval, cell + 2 * step)) return true;
  return false;
}

/**
 * Tells texels beside what the photo does not show: hair from behind a turned cheek begins there,
 * and what is behind the head.
 */
function isAtOutline(unseen: Float32Array | null, cell: number): boolean {
  if (!unseen) return false;
  for (const step of NEIGHBOURS) if (unseen[cell + 2 * step]! > UNSEEN_SHARE) return true;
  return false;
}

function isOut(oval: Float32Array, cell: number): boolean {
  return cell < 0 || cell >= TEXEL_COUNT || oval[cell] === 0;
}
