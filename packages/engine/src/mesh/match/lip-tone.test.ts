import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { addLipTone } from './lip-tone.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
/** Vertex in the middle of the lower lip, and one on the chin. */
const [LIP_VERTEX, CHIN_VERTEX] = [16, 199];

function plane(value: number): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
}

function faceOf(luma: number, blue: number, red: number): Atlas {
  return { side: COARSE_SIDE, luma: plane(luma), blue: plane(blue), red: plane(red), facing: plane(1) };
}

const at = (values: Float32Array, vertex: number): number =>
  values[Math.floor(layout.points[2 * vertex + 1]!) * COARSE_SIDE + Math.floor(layout.points[2 * vertex]!)]!;

function offsetsFor(front: number, share = 1, small = faceOf(170, -16, 40)): Float32Array[] {
  const offsets = [plane(0), plane(0), plane(0)];
  const target = { small, front: plane(front) };
  addLipTone(offsets, faceOf(150, -10, 20), target, share, layout);
  return offsets;
}

test("lips go most of the way to the redness of the target's, and less of the way to its luma", () => {
  const [luma, blue, red] = offsetsFor(0).map((offset) => at(offset, LIP_VERTEX));
  assert.ok(red! > 10 && red! < 20, `red ${red}`);
  assert.ok(blue! < -2 && blue! > -6, `blue ${blue}`);
  assert.ok(luma! > 4 && luma! < 10, `luma ${luma}`);
  assert.ok(Math.abs(at(offsetsFor(0, 0.5)[2]!, LIP_VERTEX) - red! / 2) < 1e-4);
});

test('the chin keeps its tone', () => {
  for (const offset of offsetsFor(0)) assert.ok(Math.abs(at(offset, CHIN_VERTEX)) < 1e-4);
});

test('lips behind a hand or a beard give none', () => {
  for (const offset of offsetsFor(1)) assert.equal(at(offset, LIP_VERTEX), 0);
});

test("lipstick is the target's own", () => {
  const [luma, blue, red] = offsetsFor(0, 1, faceOf(60, 14, 70)).map((offset) => at(offset, LIP_VERTEX));
  assert.ok(Math.abs(luma!) < 16, `luma ${luma}`);
  assert.ok(blue! < 4, `blue ${blue}`);
  assert.ok(red! < 13, `red ${red}`);
});
