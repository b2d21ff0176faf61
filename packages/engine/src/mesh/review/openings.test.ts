import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { eyeOpening } from './eye-opening.ts';

const canonical = await loadCanonicalFace();
const calm = inImageAxes(canonical.vertices).map((value) => value * 20 + 300);

/** Moves vertices a share of the way towards others. */
function drawnTogether(pairs: readonly (readonly [number, number])[], share: number): Float32Array {
  const mesh = calm.slice();
  for (const [moved, to] of pairs)
    for (let k = 0; k < 3; k++) mesh[3 * moved + k]! += share * (calm[3 * to + k]! - calm[3 * moved + k]!);
  return mesh;
}

test('eyes are as far open as their lids are apart, at any size', () => {
  const open = eyeOpening(calm, 0);
  const half = drawnTogether(
    [
      [159, 145],
      [386, 374],
    ],
    0.5,
  );
  assert.ok(open > 0.25 && open < 0.45, `open ${open}`);
  assert.ok(Math.abs(eyeOpening(half, 0) - open / 2) < 0.01);
  const small = half.map((value) => value / 7);
  assert.ok(Math.abs(eyeOpening(small, 0) - open / 2) < 0.01);
});

test('of a turned face the far eye, which is guessed, does not count', () => {
  const oneShut = drawnTogether([[159, 145]], 1);
  assert.ok(eyeOpening(oneShut, 0) < 0.7 * eyeOpening(calm, 0));
  for (const yaw of [-40, 40]) assert.equal(eyeOpening(oneShut, yaw), eyeOpening(calm, yaw));
});
