import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { FRONT_SIDE } from './front.ts';
import { thinRims } from './thin-rims.ts';

const [U, V, RADIUS] = [0.35, 0.4, 0.1];

/**
 * Returns the rims of a round lens whose rim is a line with this share of a frame, beside a hinge.
 */
function rimsOf(frame: number, lens: number, hinge = 1): { rim: number; beside: number; far: number } {
  const front = paintedFront((u, v) => {
    if (u < 0.2 && Math.abs(v - V) < 0.02) return { frame: hinge };
    const distance = (Math.hypot(u - U, v - V) - RADIUS) * FRONT_SIDE;
    const line = frame * Math.exp(-(distance ** 2));
    return distance < -1 ? { lens, frame: line } : { frame: line };
  });
  const rims = thinRims(front, FRONT_SIDE, ordinaryPlanes);
  const at = (texels: number): number =>
    rims[
      Math.round(V * FRONT_SIDE) * FRONT_SIDE + Math.round(U * FRONT_SIDE + RADIUS * FRONT_SIDE + texels)
    ]!;
  return { rim: Math.max(at(-1), at(0)), beside: at(3), far: at(20) };
}

test('the rim is a line of full share, however faint the network finds it', () => {
  for (const share of [1, 0.3, 0.1]) {
    const { rim, beside, far } = rimsOf(share, 1);
    assert.ok(rim > 0.9 && beside < 0.1 && far === 0, `${share}: ${rim}, ${beside}, ${far}`);
  }
});

test('there is no rim without a lens, and none that the network hardly sees', () => {
  assert.equal(rimsOf(0.3, 0).rim, 0);
  assert.equal(rimsOf(0.01, 1).rim, 0);
  assert.equal(rimsOf(0.3, 1, 0.5).rim, 0, 'a shadow that looks like a lens');
});
