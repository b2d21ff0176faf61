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

test('the frame is found, the cheek and the skin behind the lenses are not', () => {
  const frames = findFrames(framed, layout, model(framed));
  assert.ok(frames[texel(0.5, 0.375)]! > 0.95);
  assert.equal(frames[texel(0.4, 0.5)], 0);
  assert.equal(frames[texel(0.35, 0.44)], 0);
});

test("a skin-coloured shade as dark as a frame is taken for an eye socket's", () => {
  const socket = paintedAtlas(SIDE, (u, v) => (onBar(u, v) ? [70, -7, 13] : [150, -15, 22]));
  const middle = texel(0.5, 0.375);
  assert.ok(findFrames(socket, layout, model(socket))[middle]! < 0.5);
});
