import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { completeByMirror } from './complete.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const SIDE = 512;
const small = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
/** Says whether a texel lies on the hidden wing of the nose. */
const hidden = (u: number, v: number, rim = 0): boolean =>
  Math.abs(u - 0.41) < 0.02 + rim && Math.abs(v - 0.55) < 0.03 + rim;

test("a nose's hidden side shows the other's mirror image in the light of its own side, and passes into it softly", () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (hidden(u, v) ? [60, 0, 0] : [150, -15, 22]));
  const { luma, facing } = atlas;
  for (let i = 0; i < facing.length; i++) {
    facing[i] = hidden(((i % SIDE) + 0.5) / SIDE, (Math.floor(i / SIDE) + 0.5) / SIDE, 0.01) ? 0 : 0.8;
    if (i % SIDE >= SIDE / 2) luma[i]! += 20;
  }
  const row = Math.floor(0.55 * SIDE) * SIDE;
  const middle = row + Math.floor(0.41 * SIDE);
  const outside = row + Math.floor((0.41 - 0.03) * SIDE) - 3;
  // Something of the clear side's own.
  for (const texel of [middle, outside]) luma[2 * row + SIDE - 1 - texel]! += 5;
  const before = luma.slice();
  completeByMirror(atlas, small, 10, shrinkSquare(facing, SIDE, COARSE_SIDE));
  assert.ok(Math.abs(luma[middle]! - 155) < 1, `${luma[middle]}`);
  assert.ok(facing[middle]! > 0.7);
  assert.ok(luma[outside]! > 150.5 && luma[outside]! < 154.5, `${luma[outside]}`);
  for (let x = SIDE / 2; x < SIDE; x++) assert.equal(luma[row + x], before[row + x]);
});

/**
 * Luma on the far side, darker and facing the camera little, once it is completed from the near
 * one.
 */
const shown = (yaw: number): number => {
  const atlas = paintedAtlas(SIDE, (u) => (u > 0.5 ? [60, 0, 0] : [150, -15, 22]));
  const { facing, luma } = atlas;
  for (let i = 0; i < facing.length; i++) facing[i] = i % SIDE >= SIDE / 2 ? 0.2 : 0.9;
  completeByMirror(atlas, small, yaw, shrinkSquare(facing, SIDE, COARSE_SIDE));
  return luma[(SIDE / 2) * SIDE + Math.floor(0.7 * SIDE)]!;
};

test('in profile the far side is a guess: what hardly faces the camera there is the mirror image too', () => {
  assert.ok(shown(10) < 75, `${shown(10)}`);
  assert.ok(shown(-45) > 145, `${shown(-45)}`);
});
