import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { FRONT_SIDE } from './front.ts';
import { thinRims } from './thin-rims.ts';

const [U, V, RADIUS] = [0.35, 0.4, 0.1];

/**
 * Returns the rims of a round lens, of which this share of its height has a line with this share of
 * a frame, beside a hinge; null if there are none.
 */
function rimsOf({ frame = 0.3, lens = 1, hinge = 1, rimmed = 1 }): Float32Array | null {
  const front = paintedFront((u, v) => {
    if (u < 0.2 && Math.abs(v - V) < 0.02) return { frame: hinge };
    const distance = (Math.hypot(u - U, v - V) - RADIUS) * FRONT_SIDE;
    const line = v > V + (2 * rimmed - 1) * RADIUS ? 0 : frame * Math.exp(-(distance ** 2));
    return distance < -1 ? { lens, frame: line } : { frame: line };
  });
  return thinRims(front, ordinaryPlanes);
}

test('the rim is a line of full share, however faint the network finds it', () => {
  for (const frame of [1, 0.3, 0.1]) {
    const rims = rimsOf({ frame })!;
    const at = (texels: number): number =>
      rims[Math.round(V * FRONT_SIDE) * FRONT_SIDE + Math.round((U + RADIUS) * FRONT_SIDE + texels)]!;
    const [rim, beside, far] = [Math.max(at(-1), at(0)), at(3), at(20)];
    assert.ok(rim > 0.9 && beside < 0.1 && far === 0, `${frame}: ${rim}, ${beside}, ${far}`);
  }
});

test('there are no rims without a lens, of a shadow that looks like one, and that do not close', () => {
  assert.equal(rimsOf({ lens: 0 }), null);
  assert.equal(rimsOf({ frame: 0.01 }), null);
  assert.equal(rimsOf({ hinge: 0.5 }), null);
  assert.equal(rimsOf({ rimmed: 0.5 }), null);
});
