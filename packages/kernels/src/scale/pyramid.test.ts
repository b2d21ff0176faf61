import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInKernelMemory } from '../wasm/memory.ts';
import { Workspace } from '../workspace.ts';
import { halveImage } from './halve-image.ts';
import { ImagePyramid, pyramidOf, releaseImage } from './pyramid.ts';

function ramp(width: number, height: number) {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7 + (i % 11) * 13) % 256);
  return { data, width, height };
}

test('each pixel of a half-size image is the rounded mean of its 2 x 2 block, an odd edge is left out', () => {
  const image = ramp(7, 5);
  const half = halveImage(image);
  assert.equal(half.width, 3);
  assert.equal(half.height, 2);
  for (let y = 0; y < 2; y++) {
    for (let x = 0; x < 3; x++) {
      for (let c = 0; c < 3; c++) {
        const at = (dx: number, dy: number): number => image.data[((2 * y + dy) * 7 + 2 * x + dx) * 3 + c]!;
        const mean = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
        assert.equal(half.data[(y * 3 + x) * 3 + c], Math.floor(mean + 0.5));
      }
    }
  }
});

test('a level is built once and none is built beyond what the image is large enough for', () => {
  const pyramid = new ImagePyramid(ramp(40, 9));
  const second = pyramid.level(2);
  assert.deepEqual([second.number, second.image.width, second.image.height], [2, 10, 2]);
  assert.equal(pyramid.level(2).image, second.image);
  assert.equal(pyramid.level(7).number, 2);
  assert.equal(pyramid.level(0).image, pyramid.image);
});

test('levels in a workspace are the same as in ordinary memory', () => {
  const image = ramp(301, 205);
  const space = new Workspace();
  try {
    const { image: level, number } = new ImagePyramid(image, space).level(3);
    const wanted = new ImagePyramid(image).level(3);
    assert.equal(number, wanted.number);
    assert.ok(isInKernelMemory(level.data));
    assert.ok(Buffer.from(level.data).equals(wanted.image.data));
  } finally {
    space.release();
  }
});

test('a released image and its half-size copies hold nothing any more', () => {
  const image = ramp(300, 200);
  const level = pyramidOf(image).level(1).image;
  releaseImage(image);
  assert.deepEqual([image.data.length, level.data.length], [0, 0]);
});

test('releasing an image leaves what shares its memory alone', () => {
  const pool = new Uint8Array(8192).fill(7);
  releaseImage({ data: pool.subarray(0, 3 * 20 * 20), width: 20, height: 20 });
  const space = new Workspace();
  const data = space.uninitialisedBytes(3 * 100 * 100);
  releaseImage({ data, width: 100, height: 100 });
  assert.deepEqual([pool.length, pool[0], data.length], [8192, 7, 30_000]);
  space.release();
});
