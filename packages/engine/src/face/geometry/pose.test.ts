import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from './canonical-face.ts';
import { inImageAxes, poseOfMesh } from './pose.ts';

const RADIANS = Math.PI / 180;

test('the canonical face looks straight ahead', async () => {
  const canonical = await loadCanonicalFace();
  const { yaw, pitch, roll } = poseOfMesh(inImageAxes(canonical.vertices), canonical);
  for (const angle of [yaw, pitch, roll]) assert.ok(Math.abs(angle) < 1e-3);
});

test('yaw is positive to the right of the image, pitch downwards, roll clockwise', async () => {
  const canonical = await loadCanonicalFace();
  const upright = inImageAxes(canonical.vertices);
  const turned = (plane: readonly [number, number], degrees: number): Float32Array => {
    const [from, to] = plane;
    const cos = Math.cos(degrees * RADIANS);
    const sin = Math.sin(degrees * RADIANS);
    const points = upright.slice();
    for (let i = 0; i < points.length; i += 3) {
      points[i + from] = cos * upright[i + from]! - sin * upright[i + to]!;
      points[i + to] = sin * upright[i + from]! + cos * upright[i + to]!;
    }
    return points;
  };
  const nose = 1;
  const right = turned([0, 2], 30);
  assert.ok(right[3 * nose]! > upright[3 * nose]!);
  assert.ok(Math.abs(poseOfMesh(right, canonical).yaw - 30) < 0.01);
  const down = turned([1, 2], 20);
  assert.ok(down[3 * nose + 1]! > upright[3 * nose + 1]!);
  assert.ok(Math.abs(poseOfMesh(down, canonical).pitch - 20) < 0.01);
  // Clockwise as seen: x turns towards y, which points down.
  assert.ok(Math.abs(poseOfMesh(turned([0, 1], 100), canonical).roll - 100) < 0.01);
});
