import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import type { Atlas } from '../uv/atlas.ts';
import { findFrames } from './glasses.ts';
import { fitSkin } from '../skin/skin-model.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 512;
const layout = layouts(SIDE);
const coarseLayout = layouts(COARSE_SIDE);

/** A black bar across the nose's bridge, eye to eye. */
const onBar = (u: number, v: number): boolean => v > 0.36 && v < 0.39 && Math.abs(u - 0.5) < 0.09;
const framed = paintedAtlas(SIDE, (u, v) => (onBar(u, v) ? [20, 0, 0] : [150, -15, 22]));
const model = (atlas: Atlas): SkinModel =>
  fitSkin(shrinkAtlas(atlas, COARSE_SIDE), beardlessCore(coarseLayout));
const texel = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
const onRim = (u: number, v: number): boolean => onBar(u, v) || Math.abs(v - 0.3) < 0.008;
const belowLens = (u: number, v: number): boolean => Math.abs(v - 0.545) < 0.006 && u > 0.2 && u < 0.3;
const wornWith = (rim: readonly [number, number, number]): Atlas =>
  paintedAtlas(SIDE, (u, v) => (onBar(u, v) ? [20, 0, 0] : belowLens(u, v) ? rim : [150, -15, 22]));
const isBrow = (i: number): boolean => layout.brows[i]! > 0;

test('the frame is found, the cheek and the skin behind the lenses are not', () => {
  for (const wearer of ['source', 'target'] as const) {
    const frames = findFrames(framed, layout, model(framed), wearer);
    assert.ok(frames[texel(0.5, 0.375)]! > 0.95);
    assert.equal(frames[texel(0.4, 0.5)], 0);
    assert.equal(frames[texel(0.35, 0.44)], 0);
  }
});

test("a skin-coloured shade as dark as a frame is taken for an eye socket's", () => {
  const socket = paintedAtlas(SIDE, (u, v) => (onBar(u, v) ? [70, -7, 13] : [150, -15, 22]));
  const middle = texel(0.5, 0.375);
  assert.ok(findFrames(socket, layout, model(socket), 'target')[middle]! < 0.5);
});

test("of a source such a shade is the frame's on the root of the nose, and its own beside it", () => {
  const socket = paintedAtlas(SIDE, (u, v) => (onBar(u, v) ? [70, -7, 13] : [150, -15, 22]));
  const frames = findFrames(socket, layout, model(socket), 'source');
  assert.ok(frames[texel(0.5, 0.375)]! > 0.95);
  assert.ok(frames[texel(0.41, 0.375)]! < 0.5);
});

test("a source's large lenses end low on the cheek, where a fold of skin is no rim", () => {
  const at = texel(0.25, 0.545);
  const black = wornWith([20, 0, 0]);
  const fold = wornWith([115, -12, 17]);
  assert.ok(findFrames(black, layout, model(black), 'source')[at]! > 0.9);
  assert.ok(findFrames(fold, layout, model(fold), 'source')[at]! < 0.1);
});

test('such a line right below a rim is its shaded edge', () => {
  const edged = paintedAtlas(SIDE, (u, v) =>
    onBar(u, v) || belowLens(u, v + 0.014) ? [20, 0, 0] : belowLens(u, v) ? [115, -12, 17] : [150, -15, 22],
  );
  assert.ok(findFrames(edged, layout, model(edged), 'source')[texel(0.25, 0.549)]! > 0.9);
});

test("of a source a rim before a brow is found, the brow's own hair is not", () => {
  const crossed = paintedAtlas(SIDE, (u, v, i) =>
    onRim(u, v) ? [10, 0, 0] : isBrow(i) ? [75, -5, 8] : [150, -15, 22],
  );
  const frames = findFrames(crossed, layout, model(crossed), 'source');
  let rim = 0;
  let hair = 0;
  for (let y = 0, i = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, i++) {
      if (layout.brows[i] === 0) continue;
      const away = Math.abs((y + 0.5) / SIDE - 0.3);
      if (away < 0.006) rim = Math.max(rim, 1 - frames[i]!);
      if (away > 0.03 && Math.abs((x + 0.5) / SIDE - 0.5) < 0.18) hair = Math.max(hair, frames[i]!);
    }
  }
  assert.ok(rim < 0.2, `${rim}`);
  assert.ok(hair < 0.05, `${hair}`);
});
