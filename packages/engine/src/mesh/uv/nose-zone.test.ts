import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from './atlas-layout.ts';
import { createAtlasLayouts } from './atlas-layouts.ts';
import { facingAtOutline } from './nose-zone.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

function texelOf(vertex: number): number {
  return Math.floor(layout.points[2 * vertex + 1]!) * COARSE_SIDE + Math.floor(layout.points[2 * vertex]!);
}

test("a nose's hidden side does not fade away, cheeks and brows do, and what is seen stays as it is", () => {
  const hidden = facingAtOutline(new Float32Array(COARSE_SIDE * COARSE_SIDE), layout, 0.14, ordinaryPlanes);
  const [tip, wing, otherWing, cheek, brow, chin] = [4, 129, 358, 50, 105, 152].map(
    (v) => hidden[texelOf(v)]!,
  );
  for (const nose of [tip!, wing!, otherWing!]) assert.ok(nose > 0.13, `${nose}`);
  for (const outside of [cheek, brow, chin]) assert.equal(outside, 0);
  const seen = new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(0.5);
  const same = facingAtOutline(seen, layout, 0.14, ordinaryPlanes);
  assert.ok(same.every((value) => value === 0.5));
});

test('a fold between seen places does not fade away, and places beside them do', () => {
  const facing = new Float32Array(COARSE_SIDE * COARSE_SIDE);
  const row = Math.floor(layout.points[2 * 200 + 1]!) * COARSE_SIDE;
  const [left, fold, right] = [30, 64, 100];
  facing[row + left] = 0.5;
  facing[row + right] = 0.1;
  facing[row + fold] = -0.2;
  const seen = facingAtOutline(facing, layout, 0.14, ordinaryPlanes);
  const places = [left - 1, left, fold, right, right + 1].map((x) => Math.round(100 * seen[row + x]!) / 100);
  assert.deepEqual(places, [0, 0.5, 0.1, 0.1, 0]);
});
