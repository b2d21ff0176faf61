import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { edgeBlur } from './edge-blur.ts';

const [WIDTH, HEIGHT] = [80, 60];
const AREA = { x: 0, y: 0, width: WIDTH, height: HEIGHT };

/** Draws a bright disc over half of the region. @param passes blurs of 2/3 square pixels each */
function disc(contrast: number, passes: number, noise = 0): Float32Array {
  const luma = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    Math.hypot((i % WIDTH) - 40, Math.floor(i / WIDTH) - 30) < 22 ? 100 + contrast : 100,
  );
  if (passes > 0) boxBlur(luma, WIDTH, HEIGHT, 1, passes);
  return luma.map((value, i) => value + noise * (((i * 7919) % 41) / 20 - 1));
}

const blurOf = (luma: Float32Array): number => edgeBlur(luma, AREA, ordinaryPlanes);

test('edges that are as sharp as pixels are below -0.4, and those of soft pictures above 0', () => {
  assert.ok(blurOf(disc(90, 0)) < -0.4, `${blurOf(disc(90, 0))}`);
  assert.ok(blurOf(disc(90, 2)) > 0, `${blurOf(disc(90, 2))}`);
  assert.ok(blurOf(disc(90, 4)) > blurOf(disc(90, 2)) + 0.5);
});

test('contrast and noise do not matter', () => {
  assert.ok(Math.abs(blurOf(disc(30, 2)) - blurOf(disc(120, 2))) < 0.05);
  assert.ok(Math.abs(blurOf(disc(90, 3, 2)) - blurOf(disc(90, 3))) < 0.5);
});

test('a region without edges counts as soft, one without pixels too', () => {
  assert.equal(blurOf(new Float32Array(WIDTH * HEIGHT).fill(80)), 9);
  assert.equal(edgeBlur(new Float32Array(0), { ...AREA, width: 0, height: 0 }, ordinaryPlanes), 9);
});
