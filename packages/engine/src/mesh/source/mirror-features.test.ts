import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { keepPairedFeatures, mirrorFeatures } from './mirror-features.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const texel = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
const LEFT_BROW = texel(0.4, 0.27);
const RIGHT_BROW = LEFT_BROW - (LEFT_BROW % SIDE) + SIDE - 1 - (LEFT_BROW % SIDE);

test("a brow given up becomes the other's mirror image, as light as its own side's skin", () => {
  const atlas = paintedAtlas(SIDE, (u, _v, i) =>
    layout.brows[i]! > 0 ? [u < 0.5 ? 20 : 60, 0, 4] : [150, -15, 22],
  );
  const foreign = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < foreign.length; i++) if (i % SIDE < SIDE / 2) foreign[i] = 1;
  const luma = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < luma.length; i++) luma[i] = i % SIDE < SIDE / 2 ? 112 : 152;
  const even = new Float32Array(luma.length);
  mirrorFeatures(atlas, layout, foreign, [luma, even, even], null);
  assert.ok(layout.brows[LEFT_BROW]! > 0);
  assert.ok(Math.abs(atlas.luma[LEFT_BROW]! - 45) < 1, `${atlas.luma[LEFT_BROW]}`);
  assert.equal(atlas.luma[RIGHT_BROW], 60);
});

test('brows that are covered on both sides are kept as they are', () => {
  const foreign = new Float32Array(SIDE * SIDE).fill(1);
  keepPairedFeatures(foreign, layout);
  assert.ok(foreign[LEFT_BROW]! < 0.05);
  const one = new Float32Array(SIDE * SIDE);
  one[LEFT_BROW] = 1;
  keepPairedFeatures(one, layout);
  assert.equal(one[LEFT_BROW], 1);
});
