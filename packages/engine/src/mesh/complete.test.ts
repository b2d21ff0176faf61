import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeByMirror } from './complete.ts';
import { paintedAtlas } from './testing/painted-atlas.ts';

const SIDE = 512;
const hidden = (u: number, v: number): boolean => Math.abs(u - 0.4) < 0.03 && Math.abs(v - 0.5) < 0.06;

test("a hidden side shows the other's mirror image, and passes into it softly", () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (hidden(u, v) ? [60, 0, 0] : [150, -15, 22]));
  const { luma, facing } = atlas;
  for (let i = 0; i < facing.length; i++) {
    facing[i] = hidden(((i % SIDE) + 0.5) / SIDE, (Math.floor(i / SIDE) + 0.5) / SIDE) ? 0 : 0.8;
    // Something of the clear side's own, a little lighter.
    if (i % SIDE >= SIDE / 2) luma[i]! += 20;
  }
  const before = luma.slice();
  completeByMirror(atlas, 10);
  const row = (SIDE / 2) * SIDE;
  const middle = row + Math.floor(0.4 * SIDE);
  assert.ok(Math.abs(luma[middle]! - 170) < 1, `${luma[middle]}`);
  assert.ok(facing[middle]! > 0.7);
  for (let x = SIDE / 2; x < SIDE; x++) assert.equal(luma[row + x], before[row + x]);
  const outside = row + Math.floor((0.4 - 0.03) * SIDE) - 3;
  assert.ok(luma[outside]! > 151 && luma[outside]! < 169, `${luma[outside]}`);
});

/** Luma on the far side, darker and facing the camera little, once it is completed from the near one. */
const shown = (yaw: number): number => {
  const atlas = paintedAtlas(SIDE, (u) => (u > 0.5 ? [60, 0, 0] : [150, -15, 22]));
  const { facing, luma } = atlas;
  for (let i = 0; i < facing.length; i++) facing[i] = i % SIDE >= SIDE / 2 ? 0.2 : 0.9;
  completeByMirror(atlas, yaw);
  return luma[(SIDE / 2) * SIDE + Math.floor(0.7 * SIDE)]!;
};

test('in profile the far side is a guess: what hardly faces the camera there is the mirror image too', () => {
  assert.ok(shown(10) < 75, `${shown(10)}`);
  assert.ok(shown(-45) > 145, `${shown(-45)}`);
});
