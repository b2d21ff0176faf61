import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Affine, applyAffine } from '../affine.ts';
import type { RgbImage } from '../image.ts';
import type { PlaneFormat } from '../plain/warp-to-planes.ts';
import { ImagePyramid } from './pyramid.ts';
import { levelForStep, warpPartToPlanes, warpToPlanes } from './warp.ts';

const RAW: PlaneFormat = { scale: 1, offset: [0, 0, 0], order: 'rgb', outside: 'border' };

function noisy(width: number, height: number): RgbImage {
  let state = 7;
  const data = Uint8Array.from({ length: width * height * 3 }, () => {
    state = (state * 48271) % 2147483647;
    return state & 255;
  });
  return { data, width, height };
}

function clamp(value: number, last: number): number {
  return Math.min(Math.max(value, 0), last);
}

/**
 * Samples by definition, without regard to speed: bilinear between pixel centres, border or black
 * outside.
 */
function sample(image: RgbImage, x: number, y: number, channel: number, outside: string): number {
  if (outside === 'black' && (x < 0 || y < 0 || x > image.width || y > image.height)) return 0;
  const cx = clamp(x - 0.5, image.width - 1);
  const cy = clamp(y - 0.5, image.height - 1);
  const pixel = (column: number, row: number): number =>
    image.data[(clamp(row, image.height - 1) * image.width + clamp(column, image.width - 1)) * 3 + channel]!;
  const left = Math.floor(cx);
  const top = Math.floor(cy);
  const fx = cx - left;
  const fy = cy - top;
  const upper = pixel(left, top) * (1 - fx) + pixel(left + 1, top) * fx;
  const lower = pixel(left, top + 1) * (1 - fx) + pixel(left + 1, top + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

for (const outside of ['black', 'border'] as const) {
  test(`a rotated crop is bilinear between pixel centres, with ${outside} outside`, () => {
    const image = noisy(23, 17);
    const toImage: Affine = [0.9, -0.5, 4, 0.5, 0.9, -6];
    const out = new Float32Array(3 * 20 * 25);
    const format: PlaneFormat = { scale: 0.5, offset: [1, 2, 3], order: 'rgb', outside };
    warpToPlanes(new ImagePyramid(image), toImage, 25, 20, format, out);
    for (let channel = 0; channel < 3; channel++) {
      for (let row = 0; row < 20; row++) {
        for (let column = 0; column < 25; column++) {
          const [x, y] = applyAffine(toImage, column + 0.5, row + 0.5);
          const expected = sample(image, x, y, channel, outside) * 0.5 + channel + 1;
          const actual = out[(channel * 20 + row) * 25 + column]!;
          assert.ok(
            Math.abs(actual - expected) < 1e-3,
            `${channel} ${row} ${column}: ${actual}, ${expected}`,
          );
        }
      }
    }
  });
}

test('the identity gives the image itself, in either order of planes', () => {
  const image = noisy(6, 5);
  const out = new Float32Array(90);
  const identity: Affine = [1, 0, 0, 0, 1, 0];
  for (const order of ['rgb', 'bgr'] as const) {
    warpToPlanes(new ImagePyramid(image), identity, 6, 5, { ...RAW, order }, out);
    for (let i = 0; i < 90; i++) {
      const plane = Math.floor(i / 30);
      const channel = order === 'rgb' ? plane : 2 - plane;
      assert.equal(out[i], image.data[(i % 30) * 3 + channel]);
    }
  }
});

test('shrinking a fine pattern gives its mean, not an alias of it', () => {
  const data = new Uint8Array(256 * 256 * 3);
  for (let i = 0; i < 256 * 256; i++) data.fill(((i & 1) ^ ((i >> 8) & 1)) * 200, 3 * i, 3 * i + 3);
  const out = new Float32Array(3 * 32 * 32);
  warpToPlanes(new ImagePyramid({ data, width: 256, height: 256 }), [8, 0, 0, 0, 8, 0], 32, 32, RAW, out);
  for (const value of out) assert.equal(value, 100);
});

test('a gradient keeps its place at every scale', () => {
  const data = new Uint8Array(200 * 200 * 3);
  for (let i = 0; i < data.length; i++) data[i] = Math.floor(i / 3) % 200;
  const pyramid = new ImagePyramid({ data, width: 200, height: 200 });
  for (const step of [1, 1.6, 2.4, 5, 11]) {
    const side = Math.floor(150 / step);
    const out = new Float32Array(3 * side * side);
    warpToPlanes(pyramid, [step, 0, 20, 0, step, 20], side, side, RAW, out);
    for (let column = 0; column < side; column++) {
      // The pixel at x has the value x - 0.5; halving rounds up, by half a value at each level.
      const expected = 20 + step * (column + 0.5) - 0.5;
      assert.ok(Math.abs(out[column]! - expected) <= 0.5 * levelForStep(step) + 1e-3, `${step} ${column}`);
    }
  }
});

for (const [where, x, y] of [
  ['inside', 41, 23],
  ['over its border', -9, 61],
] as const) {
  test(`a crop ${where} is the same when only its part of the image is made smaller`, () => {
    const image = noisy(131, 97);
    for (const scale of [1, 2.3, 5]) {
      const toImage: Affine = [scale, -0.2 * scale, x, 0.2 * scale, scale, y];
      const whole = new Float32Array(3 * 12 * 9);
      const part = new Float32Array(whole.length);
      warpToPlanes(new ImagePyramid(image), toImage, 12, 9, RAW, whole);
      warpPartToPlanes(image, toImage, 12, 9, RAW, part);
      assert.deepEqual(part, whole);
    }
  });
}
