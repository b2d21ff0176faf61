import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { dullShine } from './shine.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const skin = [90, -14, 20] as const;
/** Texel in the right nostril. */
const NOSTRIL = Math.floor(layout.points[2 * 79 + 1]!) * SIDE + Math.floor(layout.points[2 * 79]!);
/** Texel on the lower lip. */
const LIP = Math.floor(layout.points[2 * 17 + 1]! - 2) * SIDE + Math.floor(layout.points[2 * 17]!);
const CHEEK = Math.floor(0.5 * SIDE) * SIDE + Math.floor(0.36 * SIDE);

const plane = (value: number): Float32Array => new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);

/** Returns the luma of the cheek's patch after its shine was removed. */
function dulled(patch: readonly [number, number, number]): number {
  const atlas = paintedAtlas(SIDE, (u, v) => (Math.hypot(u - 0.36, v - 0.5) < 0.05 ? patch : skin));
  const light = { luma: plane(skin[0]), blue: plane(skin[1]), red: plane(skin[2]) };
  dullShine(atlas, shrinkAtlas(atlas, COARSE_SIDE), light, layout);
  return atlas.luma[CHEEK]!;
}

test('white shine on dark skin is taken off', () => {
  assert.ok(dulled([180, -14, 20]) < 126);
});

test('no ring around shine stays brighter than what was inside of it', () => {
  const lumas = [100, 110, 115, 120, 125, 130, 140, 160, 180].map((luma) => dulled([luma, -14, 20]));
  for (const [k, luma] of lumas.entries())
    assert.ok(k === 0 || luma > lumas[k - 1]! - 5, lumas.map(Math.round).join(' '));
});

test('a lit cheek, redder as it is brighter, keeps its light; so does a slight gloss', () => {
  assert.equal(dulled([180, -28, 40]), 180);
  assert.equal(dulled([110, -14, 20]), 110);
});

test('a black-and-white face is left alone', () => {
  const grey = paintedAtlas(SIDE, (u) => [u < 0.4 ? 200 : 90, 0, 0]);
  const before = grey.luma.slice();
  dullShine(grey, shrinkAtlas(grey, COARSE_SIDE), { luma: plane(90), blue: plane(0), red: plane(0) }, layout);
  assert.equal(grey.luma[CHEEK], before[CHEEK]);
});

test("the bright rim of a nose against the light is no nostril; a lip's shine stays", () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (Math.abs(u - 0.5) < 0.1 && v > 0.5 ? [180, -14, 20] : skin));
  const light = { luma: plane(skin[0]), blue: plane(skin[1]), red: plane(skin[2]) };
  dullShine(atlas, shrinkAtlas(atlas, COARSE_SIDE), light, layout);
  assert.ok(atlas.luma[NOSTRIL]! < 126, `${atlas.luma[NOSTRIL]}`);
  assert.equal(atlas.luma[LIP], 180);
});
