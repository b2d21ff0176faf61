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
  // Detail that only the clear side has.
  for (const texel of [middle, outside]) luma[2 * row + SIDE - 1 - texel]! += 5;
  const before = luma.slice();
  completeByMirror(atlas, small, shrinkSquare(facing, SIDE, COARSE_SIDE));
  assert.ok(Math.abs(luma[middle]! - 155) < 1, `${luma[middle]}`);
  assert.ok(facing[middle]! > 0.7);
  assert.ok(luma[outside]! > 150.5 && luma[outside]! < 154.5, `${luma[outside]}`);
  for (let x = SIDE / 2; x < SIDE; x++) assert.equal(luma[row + x], before[row + x]);
});

/**
 * Returns the luma of the far cheek's middle after completion from the near one.
 * @param others facing of the far half's other texels
 */
function shown(others: number, nearLuma: number): number {
  const atlas = paintedAtlas(SIDE, (u) => (u > 0.5 ? [100, 0, 0] : [nearLuma, -15, 22]));
  const { facing, luma } = atlas;
  for (let i = 0; i < facing.length; i++) {
    const u = ((i % SIDE) + 0.5) / SIDE;
    facing[i] = u < 0.5 ? 0.9 : Math.abs(u - 0.7) > 0.04 ? others : 0.3;
  }
  completeByMirror(atlas, small, shrinkSquare(facing, SIDE, COARSE_SIDE));
  return luma[(SIDE / 2) * SIDE + Math.floor(0.7 * SIDE)]!;
}

test('of a turned face the far side is a guess, and is the mirror image as far as that is no hair', () => {
  assert.ok(shown(0.9, 150) < 105, `a face that is hardly turned: ${shown(0.9, 150)}`);
  assert.ok(shown(0.3, 150) > 145, `turned: ${shown(0.3, 150)}`);
  assert.ok(shown(0.3, 40) > 95, `hair over the near side: ${shown(0.3, 40)}`);
});
