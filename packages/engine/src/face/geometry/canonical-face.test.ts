import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from './canonical-face.ts';

const FOREHEAD = 10;
const CHIN = 152;
const LEFT_EYE_OUTER = 33;
const RIGHT_EYE_OUTER = 263;

test('the canonical face has its documented sizes, axes and symmetry', async () => {
  const { vertices, uv, triangles, poseWeights } = await loadCanonicalFace();
  assert.deepEqual([vertices.length, uv.length, triangles.length], [468 * 3, 468 * 2, 898 * 3]);
  assert.ok(triangles.every((index) => index < 468));
  assert.ok(uv.every((value) => value >= 0 && value <= 1));
  assert.equal(poseWeights.filter((weight) => weight > 0).length, 33);
  assert.ok(vertices[3 * FOREHEAD + 1]! > vertices[3 * CHIN + 1]!);
  assert.ok(uv[2 * FOREHEAD + 1]! < uv[2 * CHIN + 1]!);
  assert.ok(vertices[3 * LEFT_EYE_OUTER]! < 0 && uv[2 * LEFT_EYE_OUTER]! < 0.5);
  assert.ok(Math.abs(vertices[3 * LEFT_EYE_OUTER]! + vertices[3 * RIGHT_EYE_OUTER]!) < 1e-4);
});

test('seen from the front, nearly all triangles run counter-clockwise', async () => {
  const { vertices, triangles } = await loadCanonicalFace();
  let counterClockwise = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => 3 * triangles[i + corner]!) as [number, number, number];
    const area =
      (vertices[b]! - vertices[a]!) * (vertices[c + 1]! - vertices[a + 1]!) -
      (vertices[c]! - vertices[a]!) * (vertices[b + 1]! - vertices[a + 1]!);
    if (area > 0) counterClockwise += 1;
  }
  // The sides of the nose and the lips fold under themselves a little.
  assert.ok(counterClockwise > 0.95 * 898, `${counterClockwise}`);
});
