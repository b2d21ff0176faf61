import { boxBlur, boxRadius } from '@guise/kernels/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/plane-scale.ts';
import { pushPull } from '@guise/kernels/push-pull.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { Atlas } from './atlas.ts';
import { shrinkAtlas } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { LIGHT_SIDE } from './atlas-layout.ts';
import { fillFrames } from './fill-frames.ts';
import { findFrames, glassesOf } from './glasses.ts';
import { keepPairedFeatures, mirrorFeatures } from './mirror-features.ts';
import type { SkinModel } from './skin-model.ts';
import { fitSkin, notSkin } from './skin-model.ts';
import { findStrands } from './strands.ts';

/** How far the filled area reaches beyond what was recognised, as a fraction of the side: soft edges of strands. */
const GROWTH = 1 / 34;
/** Distance from the middle, in sides, between which the atlas passes into what is filled whatever it shows. */
const SIDES_FROM = 0.28;
const SIDES_FULLY = 0.34;
/** How much finer detail of the mirrored side is put on a filled place. */
const MIRRORED_DETAIL = 0.8;

/**
 * Takes what is not the face's own skin (hair, bangs, frames of glasses, hands) off the source's atlas, in place: skin areas
 * that the skin model rejects are filled smoothly from the clean skin around, with the mirrored side's detail where that
 * is clean. Features (brows, lids, nostrils, lips) are never touched. Returns the light-size plane of how much of each texel was left as it was.
 */
export function cleanSource(
  atlas: Atlas,
  layout: AtlasLayout,
  lightLayout: AtlasLayout,
  core: Float32Array,
): Float32Array {
  const space = new Workspace();
  try {
    return cleanWithin(space, atlas, layout, lightLayout, core);
  } finally {
    space.release();
  }
}

function cleanWithin(
  space: Workspace,
  atlas: Atlas,
  layout: AtlasLayout,
  lightLayout: AtlasLayout,
  core: Float32Array,
): Float32Array {
  const { side, luma, blue, red } = atlas;
  const small = shrinkAtlas(atlas, LIGHT_SIDE);
  const model = fitSkin(small, core);
  const glasses = glassesOf(small);
  const bearded = beardOf(small, lightLayout, model);
  const frames = glasses > 0 ? findFrames(atlas, layout, model, 'source') : null;
  if (frames) for (let i = 0; i < frames.length; i++) frames[i]! *= glasses;
  const strands = findStrands(small, lightLayout, model, frames, (i) => bearded * lightLayout.beardZone[i]!);
  boxBlur(strands, LIGHT_SIDE, LIGHT_SIDE, 1, 1);
  const count = LIGHT_SIDE * LIGHT_SIDE;

  const foreign = space.floats(side * side);
  const open = space.floats(side * side);
  const strandOf = enlarged(space, strands, side);
  const expected = enlarged(space, model.luma, side);
  const asideRow = Float32Array.from({ length: side }, (_, x) =>
    smoothstep(SIDES_FROM, SIDES_FULLY, Math.abs((x + 0.5) / side - 0.5)),
  );
  // Read once: a loop would look each of them up for every texel.
  const { beardZone, centre, chin, features, hairZone, oval, softEyes } = layout;
  for (let y = 0; y < side; y++) {
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (oval[i] === 0) continue;
      let skin = 1 - features[i]!;
      const strand = Math.min(1, 2 * strandOf[i]!) * (1 - softEyes[i]!);
      if (strand > skin) skin = strand;
      open[i] = skin;
      if (skin <= 0) continue;
      // The sides are hair, ears and background as often as skin, and tell nobody apart: always filled.
      const sure = Math.max(asideRow[x]!, strand);
      // Frames are grown by themselves, by less than hair.
      const framed = frames ? Math.min(1, 2 * frames[i]!) : 0;
      const lenient = (1 - 0.85 * bearded * beardZone[i]!) * (1 - centre[i]!) * (1 - framed);
      if (sure >= 1 || lenient === 0) {
        foreign[i] = skin * sure;
        continue;
      }
      // Whiskers are this person's own; the beard's edge is no fault. Strands hang beside the chin, not over it.
      const strictness = Math.max(hairZone[i]!, 0.65 * (1 - bearded) * beardZone[i]! * (1 - chin[i]!));
      const odd = lenient * notSkin(model, expected[i]!, luma[i]!, blue[i]!, red[i]!, strictness);
      foreign[i] = skin * Math.max(odd, sure);
    }
  }
  boxBlur(foreign, side, side, Math.max(1, boxRadius(GROWTH * side)), 2);
  for (let i = 0; i < foreign.length; i++) {
    const grown = (foreign[i]! - 0.08) * 3.2;
    foreign[i] = grown <= 0 ? 0 : (grown >= 1 ? 1 : grown) * open[i]!;
  }
  keepPairedFeatures(foreign, layout);

  const foreignSmall = shrinkSquare(foreign, side, LIGHT_SIDE);
  if (frames) {
    const framedSmall = shrinkSquare(frames, side, LIGHT_SIDE);
    for (let i = 0; i < count; i++) foreignSmall[i] = Math.max(foreignSmall[i]!, framedSmall[i]!);
  }
  const near = foreignSmall.slice();
  boxBlur(near, LIGHT_SIDE, LIGHT_SIDE, 1, 1);
  const trust = new Float32Array(count);
  let rejected = 0;
  for (let i = 0; i < count; i++) {
    const clean = Math.max(0, 1 - 3 * Math.max(near[i]!, foreignSmall[i]!));
    if (foreignSmall[i]! > 0.05) rejected += 1;
    // Features must not bleed into the fill either.
    trust[i] =
      lightLayout.oval[i]! *
      clean *
      clean *
      Math.max(0, 1 - 3 * lightLayout.features[i]!) *
      (1 - lightLayout.holes[i]!);
  }
  const kept = foreignSmall.map((value) => 1 - value);
  if (rejected === 0) {
    return kept;
  }

  const smoothLuma = small.luma.slice();
  const smoothBlue = small.blue.slice();
  const smoothRed = small.red.slice();
  pushPull([smoothLuma, smoothBlue, smoothRed], trust, LIGHT_SIDE);
  // The fill is one smooth surface: what is left in it of single texels is taken off.
  for (const plane of [smoothLuma, smoothBlue, smoothRed]) boxBlur(plane, LIGHT_SIDE, LIGHT_SIDE, 2, 2);

  const smooth = [smoothLuma, smoothBlue, smoothRed].map((plane) => enlarged(space, plane, side));
  fillForeign(space, atlas, layout, foreign, smooth as [Float32Array, Float32Array, Float32Array], expected);
  mirrorFeatures(atlas, layout, foreign, [smoothLuma, smoothBlue, smoothRed]);
  if (frames) fillFrames(space, atlas, layout, frames);
  return kept;
}

/** A light-size plane as large as the atlas. */
function enlarged(space: Workspace, plane: Float32Array, side: number): Float32Array {
  return enlargeSquare(plane, LIGHT_SIDE, side / LIGHT_SIDE, space.floats(side * side));
}

/** `smooth` (luma, blue, red) and `expected` (luma) are as large as the atlas. */
function fillForeign(
  space: Workspace,
  atlas: Atlas,
  layout: AtlasLayout,
  foreign: Float32Array,
  [smoothLuma, smoothBlue, smoothRed]: readonly [Float32Array, Float32Array, Float32Array],
  expected: Float32Array,
): void {
  const { side, luma, blue, red } = atlas;
  // Filled smoothly first: detail is measured on what then has no edge between skin and hair.
  for (let i = 0; i < foreign.length; i++) {
    const share = foreign[i]!;
    if (share === 0) continue;
    // Neighbouring skin says what colour, the shading model how bright: far from any skin the two agree less, so the mean.
    const level = expected[i]! > 0 ? 0.75 * smoothLuma[i]! + 0.25 * expected[i]! : smoothLuma[i]!;
    luma[i]! += share * (level - luma[i]!);
    blue[i]! += share * (smoothBlue[i]! - blue[i]!);
    red[i]! += share * (smoothRed[i]! - red[i]!);
  }
  const around = space.copyOf(luma);
  boxBlur(around, side, side, Math.max(1, Math.round(side / 64)), 1);
  for (let y = 0; y < side; y++) {
    for (let x = 0, i = y * side, mirrored = i + side - 1; x < side; x++, i++, mirrored--) {
      const share = foreign[i]! * (1 - foreign[mirrored]!) * layout.oval[mirrored]!;
      // Both sides of a pair never change: one of the two shares is small.
      if (share === 0) continue;
      luma[i]! += share * MIRRORED_DETAIL * (luma[mirrored]! - around[mirrored]!);
    }
  }
}

/** How surely the person wears a beard: the chin is much darker than its shading explains. */
function beardOf(small: Atlas, lightLayout: AtlasLayout, model: SkinModel): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.floor(0.78 * LIGHT_SIDE); y < 0.92 * LIGHT_SIDE; y++) {
    for (let x = Math.floor(0.38 * LIGHT_SIDE); x < 0.62 * LIGHT_SIDE; x++) {
      const i = y * LIGHT_SIDE + x;
      if (lightLayout.oval[i] === 0 || lightLayout.features[i]! > 0.5) continue;
      sum += (model.luma[i]! - small.luma[i]!) / (model.luma[i]! + 8);
      count += 1;
    }
  }
  return count > 0 ? smoothstep(0.12, 0.3, sum / count) : 0;
}
