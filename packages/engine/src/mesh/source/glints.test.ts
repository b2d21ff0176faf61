import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { dullGlints } from './glints.ts';
import { bandsOf } from '../match/restore.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const SKIN = [90, -14, 20] as const;
const texelAt = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
const CHEEK = texelAt(0.36, 0.5);

const plane = (value: number): Float32Array => new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
const LIGHT = { luma: plane(SKIN[0]), blue: plane(SKIN[1]), red: plane(SKIN[2]) };

/** Removes the glints from skin with pores of `pores` luma steps and a small spot on the cheek. */
function dulled(spot: readonly [number, number, number], pores: number): Atlas {
  const atlas = paintedAtlas(SIDE, (u, v, texel) => {
    if (Math.hypot(u - 0.36, v - 0.5) < 0.008) return spot;
    return [SKIN[0] + ((texel + Math.floor(texel / SIDE)) % 2 === 0 ? pores : -pores), SKIN[1], SKIN[2]];
  });
  dullGlints(atlas, LIGHT, bandsOf(atlas.luma, layout, ordinaryPlanes), layout);
  return atlas;
}

test('a white speck on smooth skin is taken off, and what is left of it has the skin’s colour', () => {
  const { luma, blue, red } = dulled([190, -2, 4], 1);
  assert.ok(luma[CHEEK]! > SKIN[0] && luma[CHEEK]! < 130);
  assert.ok(red[CHEEK]! > 14 && blue[CHEEK]! < -9);
});

test('of two specks the brighter one stays the brighter', () => {
  assert.ok(dulled([220, -2, 4], 1).luma[CHEEK]! > dulled([190, -2, 4], 1).luma[CHEEK]!);
});

test('pores of rough skin stay, bright and dark, and so does a dark spot', () => {
  const rough = dulled([105, -14, 20], 12);
  assert.equal(rough.luma[CHEEK], 105);
  assert.equal(rough.luma[texelAt(0.64, 0.5)]! % 1, 0);
  assert.equal(dulled([40, -6, 9], 1).luma[CHEEK], 40);
});

test('what is bright only beside something dark stays', () => {
  const atlas = paintedAtlas(SIDE, (u) => [u < 0.355 ? 30 : 92, SKIN[1], SKIN[2]]);
  const before = atlas.luma.slice();
  dullGlints(atlas, LIGHT, bandsOf(atlas.luma, layout, ordinaryPlanes), layout);
  assert.equal(atlas.luma[CHEEK], before[CHEEK]);
});
