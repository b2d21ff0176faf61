import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { matchFillToLight } from './match-fill-to-light.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const SIDE = 256;
const layouts = createAtlasLayouts(await loadCanonicalFace());
const plane = (value: number): Float32Array => new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);

test('far from skin that was left, a filled jaw has the tone of its light; skin, cheeks and what is beside skin keep theirs', () => {
  const atlas = paintedAtlas(SIDE, () => [150, -20, 30]);
  const small = shrinkAtlas(atlas, COARSE_SIDE);
  const light = { luma: plane(100), blue: plane(-10), red: plane(20) };
  // The texels right of u = 0.7 are filled.
  const kept = plane(0).map((_, i) => (i % COARSE_SIDE < 0.7 * COARSE_SIDE ? 1 : 0));
  matchFillToLight(atlas, small, light, kept, layouts(SIDE));
  const at = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
  const [jaw, beside, skin, cheek] = [at(0.8, 0.67), at(0.68, 0.67), at(0.6, 0.8), at(0.86, 0.45)];
  assert.ok(Math.abs(atlas.luma[jaw]! - 100) < 1 && Math.abs(atlas.red[jaw]! - 20) < 1);
  assert.ok(Math.abs(atlas.blue[jaw]! + 10) < 1);
  for (const texel of [beside, skin, cheek]) assert.ok(Math.abs(atlas.luma[texel]! - 150) < 5);
  const [x, y] = [Math.floor(0.8 * COARSE_SIDE), Math.floor(0.67 * COARSE_SIDE)];
  assert.ok(Math.abs(small.luma[y * COARSE_SIDE + x]! - 100) < 1, 'its small atlas goes along');
});
