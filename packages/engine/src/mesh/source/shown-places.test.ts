import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { shownPlaces } from './shown-places.ts';

function plane(value: number): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
}

/** Measures how well a texel of skin with an expected luma of 150 is shown. */
function shown(luma: number, facing: number, kept = 1): number {
  const small = paintedAtlas(COARSE_SIDE, () => [luma, -15, 22]);
  small.facing.fill(facing);
  return shownPlaces(small, plane(kept), plane(150), plane(facing))[0]!;
}

test('a place is shown as far as it faces the camera and was not filled', () => {
  assert.ok(Math.abs(shown(150, 0.9) - 0.9) < 1e-6);
  assert.ok(Math.abs(shown(150, 0.3) - 0.3) < 1e-6);
  assert.equal(shown(150, 0.9, 0), 0);
});

test('shade at a grazing angle is not shown, shade that faces the camera is', () => {
  assert.equal(shown(100, 0.3), 0);
  assert.ok(Math.abs(shown(100, 0.9) - 0.9) < 1e-6);
});
