import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { allowanceOf } from './allowance.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';

const SIDE = 128;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const AREA = { x: 40, y: 30, width: 300, height: 280 };
/** Texel width in pixels: the mesh lies flat in the region and leaves a margin. */
const SCALE = 2;
const MARGIN = { x: 22, y: 12 };
const points = layout.points.map((value, i) => value * SCALE + (i % 2 === 0 ? MARGIN.x : MARGIN.y));

function at(plane: Float32Array, u: number, v: number): number {
  const x = Math.round(u * SCALE + MARGIN.x);
  const y = Math.round(v * SCALE + MARGIN.y);
  return plane[y * AREA.width + x]!;
}

test('everything may change in the middle of the face, nothing outside the mesh', () => {
  const allowance = allowanceOf(points, layout, AREA, null);
  assert.equal(allowance.length, AREA.width * AREA.height);
  assert.equal(at(allowance, SIDE / 2, SIDE / 2), 1);
  for (const i of [0, AREA.width - 1, allowance.length - AREA.width, allowance.length - 1]) {
    assert.equal(allowance[i], 0);
  }
  assert.ok(allowance.every((value) => value >= 0 && value <= 1));
});

test('it rises without a step from the edge of the mesh inwards', () => {
  const allowance = allowanceOf(points, layout, AREA, null);
  const row = Math.round((SIDE / 2) * SCALE + MARGIN.y) * AREA.width;
  const middle = Math.round((SIDE / 2) * SCALE + MARGIN.x);
  let between = 0;
  for (let x = 1; x <= middle; x++) {
    const rise = allowance[row + x]! - allowance[row + x - 1]!;
    assert.ok(rise >= -1e-6 && rise < 0.5, `step of ${rise} at ${x}`);
    if (allowance[row + x]! > 0 && allowance[row + x]! < 1) between++;
  }
  assert.ok(between >= 3, `${between} pixels between`);
});

test('nothing changes where something lies in front of the face, and only there', () => {
  // This plane is in the atlas, so it covers the left half of the face as the picture shows it.
  const occluded = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < occluded.length; i++) if (i % SIDE < SIDE / 2 - 4) occluded[i] = 1;
  const free = allowanceOf(points, layout, AREA, null);
  const allowance = allowanceOf(points, layout, AREA, occluded);
  for (const v of [0.3, 0.5, 0.7]) {
    assert.ok(at(free, 0.35 * SIDE, v * SIDE) > 0.9, `free at ${v}`);
    assert.equal(at(allowance, 0.35 * SIDE, v * SIDE), 0, `covered at ${v}`);
    assert.equal(at(allowance, 0.65 * SIDE, v * SIDE), at(free, 0.65 * SIDE, v * SIDE), `bare at ${v}`);
  }
});

test('what half covers the face halves what may change, and a plane that covers nothing changes nothing', () => {
  const free = allowanceOf(points, layout, AREA, null);
  const half = allowanceOf(points, layout, AREA, new Float32Array(SIDE * SIDE).fill(0.5));
  const none = allowanceOf(points, layout, AREA, new Float32Array(SIDE * SIDE));
  assert.ok(Buffer.from(none.buffer).equals(Buffer.from(free.buffer)));
  const most = half.reduce((worst, value, i) => Math.max(worst, Math.abs(value - free[i]! / 2)), 0);
  assert.ok(most < 1e-6, `${most}`);
});
