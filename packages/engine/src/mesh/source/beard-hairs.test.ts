import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { missingHairs } from './beard-hairs.ts';

const SIDE = 256;
const COUNT = SIDE * SIDE;
/** A beard on the chin, between two columns. */
const chin = Float32Array.from({ length: COUNT }, (_, i) => {
  const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
  return x > 100 && x < 156 && y > 200 && y < 240 ? 1 : 0;
});
const dark = new Float32Array(COUNT).fill(-0.8);
const inside = [...chin.keys()].filter((i) => chin[i] === 1);

function hairsOn(detail: Float32Array, darkness = dark): Float32Array {
  return missingHairs(detail, darkness, chin, SIDE, ordinaryPlanes);
}

function sizeOf(plane: Float32Array): number {
  return Math.sqrt(inside.reduce((sum, i) => sum + plane[i]! ** 2, 0) / inside.length);
}

/** Returns how alike each texel and the one so many further are, -1..1. */
function alike(plane: Float32Array, step: number): number {
  return (
    inside.reduce((sum, i) => sum + plane[i]! * plane[i + step]!, 0) / (inside.length * sizeOf(plane) ** 2)
  );
}

test('a smooth beard gets hairs that run down the chin, and nothing beside it', () => {
  const hairs = hairsOn(new Float32Array(COUNT));
  assert.ok(Math.abs(sizeOf(hairs) - 0.18 * 0.8) < 0.01, `${sizeOf(hairs)}`);
  assert.ok(alike(hairs, SIDE) > 0.5, `along ${alike(hairs, SIDE)}`);
  assert.ok(Math.abs(alike(hairs, 1)) < 0.25, `across ${alike(hairs, 1)}`);
  assert.ok(hairs.every((value, i) => chin[i] === 1 || value === 0));
  assert.deepEqual(hairsOn(new Float32Array(COUNT)), hairs, 'always the same ones');
});

test('a beard whose hairs are seen gets none, and a fair one gets fainter ones', () => {
  const detail = Float32Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? 0.3 : -0.3));
  assert.equal(sizeOf(hairsOn(detail)), 0);
  const fair = sizeOf(
    hairsOn(
      new Float32Array(COUNT),
      dark.map((value) => value / 4),
    ),
  );
  assert.ok(Math.abs(fair - 0.036) < 0.005, `${fair}`);
});
