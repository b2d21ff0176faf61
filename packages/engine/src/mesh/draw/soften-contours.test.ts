import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { softenContours } from './soften-contours.ts';

const SIDE = 128;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const { points, triangles } = layout;
const count = triangles.length / 3;
/** The right half of the face is turned away, so that its contour is the midline. */
const isShown = Uint8Array.from({ length: count }, (_, t) => {
  const xs = [0, 1, 2].map((corner) => points[2 * triangles[3 * t + corner]!]!);
  return Math.min(...xs) < SIDE / 2 - 1 ? 1 : 0;
});
/** A picture whose left half is dark and whose right half is bright, with a step at the midline. */
const step = (x: number): number => (x < SIDE / 2 ? 40 : 200);

/** Draws the step, softens its contours and returns the first channel. */
function softened(channels: number, { allowance = 1, isPainted = true } = {}): number[] {
  const data = Uint8Array.from({ length: SIDE * SIDE * channels }, (_, i) =>
    step(Math.floor(i / channels) % SIDE),
  );
  softenContours({ data, width: SIDE, height: SIDE, stride: SIDE * channels, channels }, layout, {
    points,
    isShown,
    isPainted: () => isPainted,
    allowance: new Float32Array(SIDE * SIDE).fill(allowance),
  });
  return Array.from({ length: SIDE * SIDE }, (_, pixel) => data[channels * pixel]!);
}
const changed = (values: readonly number[]): number[] =>
  [...values.keys()].filter((pixel) => values[pixel] !== step(pixel % SIDE));

test('a step along a contour becomes soft, and nothing else changes', () => {
  const values = softened(3);
  const columns = new Set(changed(values).map((pixel) => pixel % SIDE));
  assert.deepEqual([...columns].sort(), [SIDE / 2 - 1, SIDE / 2]);
  const nose = Math.floor(points[2 * 4 + 1]!) * SIDE + SIDE / 2;
  assert.ok(values[nose - 1]! > 60 && values[nose]! < 180 && values[nose - 1]! < values[nose]!);
  assert.deepEqual(softened(1), values);
});

test('places that may not change or were not painted keep their bits', () => {
  assert.equal(changed(softened(1, { allowance: 0 })).length, 0);
  assert.equal(changed(softened(1, { isPainted: false })).length, 0);
});
