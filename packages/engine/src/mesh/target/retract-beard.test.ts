import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { CHIN, FACE_OVAL, TOP, UPPER_LIP } from '../uv/face-regions.ts';
import { retractBeard } from './retract-beard.ts';

const SIZE = 400;
const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(256);
const landmarks = inImageAxes(canonical.vertices).map((value, i) => value * 14 + (i % 3 === 2 ? 0 : 200));
const HEIGHT = landmarks[3 * CHIN + 1]! - landmarks[3 * TOP + 1]!;
const whole = new Float32Array(COARSE_SIDE ** 2).fill(1);

/**
 * Returns the place at a distance beyond a vertex of the outline, as a share of the face's height.
 */
function beyond(v: number, share: number): [x: number, y: number] {
  const [x, y] = [landmarks[3 * v]!, landmarks[3 * v + 1]!];
  const [right, down] = [x - landmarks[3 * UPPER_LIP]!, y - landmarks[3 * UPPER_LIP + 1]!];
  const scale = (share * HEIGHT) / Math.hypot(right, down);
  return [x + scale * right, y + scale * down];
}

/** Paints a bright picture in which everything up to 4 % beyond the face is dark. */
function bearded(): RgbImage {
  const data = new Uint8Array(3 * SIZE * SIZE).fill(220);
  const outline = FACE_OVAL.map((v) => beyond(v, 0.04));
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      let isInside = false;
      for (const [k, [ax, ay]] of outline.entries()) {
        const [bx, by] = outline[(k + 1) % outline.length]!;
        if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
      }
      if (isInside) data.fill(40, 3 * (y * SIZE + x), 3 * (y * SIZE + x) + 3);
    }
  return { data, width: SIZE, height: SIZE };
}

/** Returns the red of an image beyond a vertex. */
function redBeyond({ data }: RgbImage, v: number, share: number): number {
  const [x, y] = beyond(v, share);
  return data[3 * (Math.floor(y) * SIZE + Math.floor(x))]!;
}

const [JAW, FOREHEAD] = [
  [397, 172, CHIN],
  [TOP, 338, 109],
] as const;

test('around the jaw of a shaved beard lies what is beyond it', () => {
  const image = bearded();
  retractBeard(image, landmarks, whole, layout);
  for (const v of JAW) assert.equal(redBeyond(image, v, 0.01), 220, `vertex ${v}`);
  for (const v of FOREHEAD) assert.equal(redBeyond(image, v, 0.01), 40, `vertex ${v}`);
});

test('a bare chin keeps every pixel, and so does a beard that has no end', () => {
  const [bare, endless] = [bearded(), bearded()];
  endless.data.fill(40);
  const before = [bare, endless].map(({ data }) => data.slice());
  retractBeard(
    bare,
    landmarks,
    whole.map(() => 0),
    layout,
  );
  retractBeard(endless, landmarks, whole, layout);
  assert.deepEqual([bare.data, endless.data], before);
});

test('a face at the edge of its picture is changed inside the picture alone', () => {
  const image = bearded();
  const shifted = landmarks.map((value, i) => (i % 3 === 2 ? value : value + 170));
  assert.doesNotThrow(() => retractBeard(image, shifted, whole, layout));
  const outside = landmarks.map((value, i) => (i % 3 === 2 ? value : value + 2000));
  const before = image.data.slice();
  retractBeard(image, outside, whole, layout);
  assert.deepEqual(image.data, before);
});
