import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { MOUTH_CORNERS } from '../uv/face-regions.ts';
import { smileOf } from './smile.ts';

const canonical = await loadCanonicalFace();
const calm = inImageAxes(canonical.vertices).map((value) => value * 20 + 300);
const [right, left] = MOUTH_CORNERS;
const mouthWidth = calm[3 * left]! - calm[3 * right]!;

/** Moves the corners of a face's mouth, in mouth widths. */
function withCorners(up: number, apart: number): Float32Array {
  const mesh = calm.slice();
  for (const [v, aside] of [
    [right, -1],
    [left, 1],
  ] as const) {
    mesh[3 * v]! += (aside * apart * mouthWidth) / 2;
    mesh[3 * v + 1]! -= up * mouthWidth;
  }
  return mesh;
}

test('raised corners are a smile, as much as they are raised, and a wide mouth is some', () => {
  const raised = smileOf(withCorners(0.08, 0)) - smileOf(calm);
  assert.ok(Math.abs(raised - 0.08) < 0.01, `raised ${raised}`);
  const widened = smileOf(withCorners(0, 0.3)) - smileOf(calm);
  assert.ok(widened > 0.01 && widened < 0.06, `widened ${widened}`);
  assert.ok(smileOf(withCorners(-0.05, 0)) < smileOf(calm));
});

test('a smile is the same from any angle and at any size', () => {
  const smiling = withCorners(0.06, 0.2);
  const turned = smiling.slice();
  const [cos, sin] = [Math.cos(0.5), Math.sin(0.5)];
  for (let v = 0; v < 468; v++) {
    turned[3 * v] = 0.4 * (smiling[3 * v]! * cos + smiling[3 * v + 2]! * sin) + 70;
    turned[3 * v + 1] = 0.4 * smiling[3 * v + 1]!;
    turned[3 * v + 2] = 0.4 * (smiling[3 * v + 2]! * cos - smiling[3 * v]! * sin);
  }
  assert.ok(Math.abs(smileOf(turned) - smileOf(smiling)) < 1e-4);
});
