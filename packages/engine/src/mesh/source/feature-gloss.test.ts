import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { dullFeatures } from './feature-gloss.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
/** Vertices on the lower lip's edge, on a cheek and on a brow. */
const [LIP_EDGE, CHEEK, BROW] = [17, 50, 105];
const [SKIN, BRIGHT] = [100, 180];

const texelOf = (vertex: number): number =>
  Math.floor(layout.points[2 * vertex + 1]!) * SIDE + Math.floor(layout.points[2 * vertex]!);

/** Paints a bright line, three rows by default, on dark skin; returns what is left of it. */
function leftOf(vertex: number, gloss: number, rows = 3): number {
  const luma = new Float32Array(SIDE * SIDE).fill(SKIN);
  const at = texelOf(vertex);
  const half = (rows - 1) / 2;
  for (let y = -half; y <= half; y++) for (let x = -8; x <= 8; x++) luma[at + y * SIDE + x] = BRIGHT;
  dullFeatures({ luma, side: SIDE }, gloss, layout, layout, ordinaryPlanes);
  return luma[at]!;
}

test("a white line along a glossy source's lips is taken off, most of it", () => {
  const left = leftOf(LIP_EDGE, 1);
  assert.ok(left < SKIN + 0.3 * (BRIGHT - SKIN), `${left}`);
  assert.ok(left > SKIN, `${left}`);
});

test('it goes as far as the gloss', () => {
  const half = leftOf(LIP_EDGE, 0.5);
  assert.ok(Math.abs(half - (BRIGHT + leftOf(LIP_EDGE, 1)) / 2) < 1, `${half}`);
  assert.equal(leftOf(LIP_EDGE, 0), BRIGHT);
});

test('skin and brows keep their own lines, and a bright lip is no line', () => {
  assert.equal(leftOf(CHEEK, 1), BRIGHT);
  assert.equal(leftOf(BROW, 1), BRIGHT);
  assert.equal(leftOf(LIP_EDGE, 1, 15), BRIGHT);
});
