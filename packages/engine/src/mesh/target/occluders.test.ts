import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { skinLight } from '../skin/light.ts';
import { matteForeground } from './matte-foreground.ts';
import { findForeground } from './occluders.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { beardScore, scoresBearded } from '../skin/beard-score.ts';
import { beardCover } from '../skin/beard-cover.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 512;
const layout = layouts(SIDE);
const coarseLayout = layouts(COARSE_SIDE);
const skin = [150, -15, 22] as const;
const hair = [30, 0, 3] as const;
type Colour = readonly [number, number, number];

/** What of a beard is kept, as `readTargetFace` decides it. */
function beardOf(small: Atlas, model: SkinModel): Float32Array | null {
  return scoresBearded(beardScore(small, coarseLayout, model))
    ? beardCover(small, coarseLayout, model)
    : null;
}

/** What is in front, 0..1, at (u, v) of the matte of a painted face. */
function inFront(
  paint: (u: number, v: number, texel: number) => Colour,
  frames: Float32Array | null = null,
): (u: number, v: number) => number {
  const atlas = paintedAtlas(SIDE, paint);
  const small = shrinkAtlas(atlas, COARSE_SIDE);
  const model = fitSkin(small, beardlessCore(coarseLayout));
  const foreground = findForeground(small, coarseLayout, model, frames, beardOf(small, model));
  const bare = foreground.map(
    (value, i) => coarseLayout.oval[i]! * (1 - coarseLayout.features[i]!) * (1 - value),
  );
  const matte = matteForeground(atlas, small, layout, foreground, skinLight(small, bare));
  return (u, v) => matte[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]!;
}
const isBrow = (texel: number): boolean => layout.brows[texel]! > 0;
const onFrame = (u: number, v: number): boolean => v > 0.33 && v < 0.38 && u < 0.4;
const sunlit = (lit: number): Colour => (lit > 235 ? [235, -1, 2] : [lit, -15, 22]);
const onLock = (u: number, v: number): boolean => u < 0.35 && v < 0.5;

test('nothing lies in front of a bare face with dark brows', () => {
  const at = inFront((_u, _v, texel) => (isBrow(texel) ? hair : skin));
  for (let v = 0.02; v < 1; v += 0.02) for (let u = 0.02; u < 1; u += 0.02) assert.equal(at(u, v), 0);
});

test('a lock of hair from the edge is in front, with the brow behind it; the other brow is not', () => {
  const at = inFront((u, v, texel) => (onLock(u, v) ? hair : isBrow(texel) ? [70, -4, 8] : skin));
  assert.ok(at(0.2, 0.3) > 0.95);
  assert.ok(at(0.31, 0.28) > 0.9, `brow behind the lock: ${at(0.31, 0.28)}`);
  assert.equal(at(0.69, 0.28), 0);
  assert.equal(at(0.6, 0.5), 0);
});

test('fair hair, little darker than skin, is in front by its hue; a temple in the shade, darker still, is the face', () => {
  const at = inFront((u, v) =>
    v > 0.45 ? skin : u < 0.12 ? [105, -25, 18] : u > 0.86 ? [85, -15, 22] : skin,
  );
  assert.ok(at(0.07, 0.4) > 0.9, `hair ${at(0.07, 0.4)}`);
  assert.equal(at(0.93, 0.4), 0);
});

test("brown hair of the skin's hue is in front: so dark a shade would have lost its colour", () => {
  const at = inFront((u, v) => (u < 0.2 && v > 0.35 && v < 0.7 ? [45, -12.5, 18.5] : skin));
  assert.ok(at(0.1, 0.6) > 0.9, `${at(0.1, 0.6)}`);
});

test('the shade of a fringe stays with the fringe', () => {
  const at = inFront((_u, v) => (v < 0.17 ? hair : v < 0.24 ? [75, -15, 22] : skin));
  assert.ok(at(0.5, 0.21) > 0.9, `${at(0.5, 0.21)}`);
});

test('at the edge of a lock what is half hair is half in front', () => {
  const half: Colour = [92, -7, 12];
  const at = inFront((u, v) => (onLock(u, v) ? hair : onLock(u - 0.008, v) ? half : skin));
  assert.ok(at(0.354, 0.2) > 0.2 && at(0.354, 0.2) < 0.9, `${at(0.354, 0.2)}`);
});

test('a dark mark that does not reach the edge is the face, not in front of it', () => {
  const at = inFront((u, v) => (Math.hypot(u - 0.35, v - 0.55) < 0.03 ? hair : skin));
  assert.equal(at(0.35, 0.55), 0);
});

test('a beard stays in front, a shaded chin does not', () => {
  const bearded = inFront((_u, v) => (v > 0.62 ? [80, -5, 8] : skin));
  assert.ok(bearded(0.5, 0.85) > 0.9, `${bearded(0.5, 0.85)}`);
  const shaded = inFront((_u, v) => (v > 0.62 ? [100, -10, 15] : skin));
  assert.equal(shaded(0.5, 0.85), 0);
});

test('a shadow over one half of the face, chin and all, is no beard', () => {
  const at = inFront((u, v) => (u > 0.5 && v > 0.62 ? [80, 0, 0] : [150, 0, 0]));
  for (const u of [0.4, 0.6]) assert.equal(at(u, 0.85), 0);
});

test('a forehead that the sun burns out is the face, though more light yet is expected there', () => {
  const at = inFront((u, v) => sunlit(190 + 200 * Math.max(-0.3, 0.9 - u - v)));
  for (const u of [0.12, 0.2, 0.28]) assert.equal(at(u, 0.2), 0);
});

test('a mask over nose and mouth stays in front, mouth and all', () => {
  for (const cloth of [
    [190, 14, -16],
    [235, 0, 0],
  ] as const) {
    const at = inFront((_u, v) => (v > 0.58 ? cloth : skin));
    assert.ok(at(0.5, 0.7) > 0.9, `${at(0.5, 0.7)}`);
    assert.ok(at(0.5, 0.85) > 0.9);
    assert.equal(at(0.5, 0.35), 0);
  }
});

test('frames of glasses lead no further than to themselves', () => {
  const frames = layout.oval.map((_, i) => (onFrame((i % SIDE) / SIDE, Math.floor(i / SIDE) / SIDE) ? 1 : 0));
  const at = inFront((u, v, texel) => (onFrame(u, v) || isBrow(texel) ? hair : skin), frames);
  assert.equal(at(0.32, 0.28), 0);
});

test('moustache, mouth and chin of a beard are in front as one thing', () => {
  const at = inFront((u, v) =>
    (v > 0.61 && v < 0.66 && Math.abs(u - 0.5) < 0.13) || v > 0.84 ? hair : skin,
  );
  for (const [u, v] of [
    [0.44, 0.64],
    [0.56, 0.64],
    [0.5, 0.7],
    [0.5, 0.8],
  ] as const)
    assert.ok(at(u, v) > 0.9, `${at(u, v)} at ${u}, ${v}`);
});

test('a brow between a fringe and the rim of glasses is behind the fringe as a whole', () => {
  const rims = layout.oval.map((_, i) => {
    const v = Math.floor(i / SIDE) / SIDE;
    return v > 0.29 && v < 0.34 ? 1 : 0;
  });
  const at = inFront((_u, v) => (v < 0.34 ? hair : skin), rims);
  for (let u = 0.25; u < 0.44; u += 0.01) assert.ok(at(u, 0.28) > 0.95, `${at(u, 0.28)} at ${u}`);
});
