import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { skinLight } from './light.ts';

const COUNT = COARSE_SIDE * COARSE_SIDE;
const isShaded = (i: number): boolean => i % COARSE_SIDE >= COARSE_SIDE / 2;
const SHADE = Math.log(0.5);
/** Skin of one tone, whose right half lies in a shadow with a sharp edge. */
const skin = {
  side: COARSE_SIDE,
  luma: Float32Array.from({ length: COUNT }, (_, i) => (isShaded(i) ? 80 : 160)),
  blue: Float32Array.from({ length: COUNT }, (_, i) => (isShaded(i) ? -10 : -20)),
  red: Float32Array.from({ length: COUNT }, (_, i) => (isShaded(i) ? 15 : 30)),
  facing: new Float32Array(COUNT).fill(1),
};
const weight = new Float32Array(COUNT).fill(1);
const besideTheEdge = (COARSE_SIDE / 2) * COARSE_SIDE + COARSE_SIDE / 2;

test('light keeps the edge of a known shadow, in luma and colours', () => {
  const shade = Float32Array.from({ length: COUNT }, (_, i) => (isShaded(i) ? SHADE : 0));
  const light = skinLight(skin, weight, shade);
  for (const name of ['luma', 'blue', 'red'] as const)
    for (const i of [besideTheEdge - 1, besideTheEdge])
      assert.ok(Math.abs(light[name][i]! - skin[name][i]!) < 0.01, `${name} ${light[name][i]}`);
});

test('without a known shade, light goes smoothly over the edge', () => {
  const light = skinLight(skin, weight, new Float32Array(COUNT));
  assert.ok(Math.abs(light.luma[besideTheEdge]! - 120) < 10, `${light.luma[besideTheEdge]}`);
});

test('a shade too deep to be believed counts as the deepest that is', () => {
  const light = skinLight(skin, weight, new Float32Array(COUNT).fill(-5));
  assert.ok(Math.abs(light.luma[0]! - 160) < 0.5);
});
