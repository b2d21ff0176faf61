import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPolygon } from '../polygon.ts';
import { normalisedBlur } from './normalised-blur.ts';
import { pushPull } from './push-pull.ts';

const SIDE = 32;

function withHole(value: number, hole: number): { plane: Float32Array; weight: Float32Array } {
  const plane = new Float32Array(SIDE * SIDE).fill(value);
  const weight = new Float32Array(SIDE * SIDE).fill(1);
  for (let y = 10; y < 20; y++) {
    for (let x = 8; x < 22; x++) {
      plane[y * SIDE + x] = hole;
      weight[y * SIDE + x] = 0;
    }
  }
  return { plane, weight };
}

test('normalised blur bridges a hole without a trace of what is in it', () => {
  const { plane, weight } = withHole(90, -1000);
  normalisedBlur([plane], weight, SIDE, SIDE, 3);
  for (const value of plane) assert.ok(Math.abs(value - 90) < 0.01);
});

test('push-pull fills a hole from around and leaves trusted values exactly', () => {
  const { plane, weight } = withHole(90, -1000);
  plane[0] = 123;
  pushPull([plane], weight, SIDE);
  assert.equal(plane[0], 123);
  for (let i = 1; i < plane.length; i++) assert.ok(plane[i]! > 89 && plane[i]! < 94);
});

test('a polygon holds the pixels whose centre is inside, by the even-odd rule', () => {
  const plane = new Float32Array(6 * 5);
  fillPolygon(plane, 6, 5, [1, 1, 5, 1, 5, 4, 1, 4]);
  assert.deepEqual([...plane.subarray(6, 12)], [0, 1, 1, 1, 1, 0]);
  assert.equal(
    plane.reduce((a, b) => a + b, 0),
    12,
  );
});
