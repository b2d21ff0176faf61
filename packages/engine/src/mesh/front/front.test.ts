import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintedFront } from '../testing/painted-front.ts';
import { FRONT_SIDE, withGlassesOnly } from './front.ts';

const isLens = (u: number, v: number): boolean => v > 0.3 && v < 0.4 && u < 0.5;

const at = (u: number, v: number): number =>
  Math.floor(v * FRONT_SIDE) * FRONT_SIDE + Math.floor(u * FRONT_SIDE);

test('of what was found, glasses are kept, and what is needed because of them', () => {
  const front = paintedFront((u, v) =>
    isLens(u, v) ? { lens: 1 } : v > 0.7 ? { hair: 0.8, beard: 0.2 } : {},
  );
  front.needed.fill(0.9);
  const { shares, needed, shade } = withGlassesOnly(front);
  assert.equal(shares.lens[at(0.3, 0.35)], 1);
  assert.ok(Math.abs(needed[at(0.3, 0.35)]! - 0.9) < 1e-6);
  assert.deepEqual(
    [shares.hair, shares.beard].map((plane) => Math.max(...plane)),
    [0, 0],
  );
  assert.equal(needed[at(0.3, 0.8)], 0);
  assert.equal(shade, front.shade);
});
