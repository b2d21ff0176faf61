import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { cropImage } from '@guise/kernels/crop-image.ts';
import { softenFace } from './soften-face.ts';

const [WIDTH, HEIGHT] = [60, 50];
/** Region of the face, away from the picture's corner. */
const AREA = { x: 6, y: 4, width: 48, height: 40 };
const SKIN = 150;
const LINE = 70;
/** Row of a dark line that is drawn into the face. */
const LINE_ROW = 24;
/** Row of a dark line that the target has. */
const OWN_ROW = 12;

/** Returns noise that is the same in every picture, -1 to 1. */
function noiseAt(pixel: number): number {
  return (((pixel * 7919) % 41) - 20) / 20;
}

/** @param softness pixels over which the target's own line fades */
function pictureOf(noise: number, softness: number): RgbImage {
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const away = (Math.floor(pixel / WIDTH) - OWN_ROW) / softness;
    data.fill(
      Math.round(SKIN - 60 * Math.exp(-away * away) + noise * noiseAt(pixel)),
      3 * pixel,
      3 * pixel + 3,
    );
  }
  return { data, width: WIDTH, height: HEIGHT };
}

/** Draws plain skin with a sharp line over the region, and softens it. */
function softened(target: RgbImage, missing: number, allowed = 1): RgbImage {
  const before = cropImage(target, AREA).data;
  const swapped = { ...target, data: target.data.slice() };
  const allowance = new Float32Array(AREA.width * AREA.height);
  for (let y = 2; y < AREA.height - 2; y++)
    for (let x = 2; x < AREA.width - 2; x++) {
      allowance[y * AREA.width + x] = allowed;
      const at = 3 * ((AREA.y + y) * WIDTH + AREA.x + x);
      if (allowed > 0) swapped.data.fill(AREA.y + y === LINE_ROW ? LINE : SKIN, at, at + 3);
    }
  softenFace(before, swapped, AREA, allowance, missing, ordinaryPlanes);
  return swapped;
}

const valueAt = ({ data }: RgbImage, x: number, y: number): number => data[3 * (y * WIDTH + x) + 1]!;

test('a line is as soft as the blur makes it, and the mean of the face stays', () => {
  const plain = softened(pictureOf(0, 4), 4 / 3);
  // Two boxes of three pixels: 1, 2, 3, 2, 1 ninths of the line.
  for (const [k, ninths] of [3, 2, 1].entries())
    assert.ok(Math.abs(valueAt(plain, 30, LINE_ROW + k) - (SKIN - (80 * ninths) / 9)) <= 2, `row ${k}`);
  assert.ok(Math.abs(valueAt(plain, 30, LINE_ROW + 6) - SKIN) <= 1);
});

test("the face gets the picture's noise, but no ghost of the target's features", () => {
  const target = pictureOf(5, 4);
  const swapped = softened(target, 4 / 3);
  let [both, own, other] = [0, 0, 0];
  for (let y = 30; y < 38; y++)
    for (let x = 12; x < 48; x++) {
      const [a, b] = [valueAt(target, x, y) - SKIN, valueAt(swapped, x, y) - SKIN];
      both += a * b;
      own += a * a;
      other += b * b;
    }
  assert.ok(both / Math.sqrt(own * other) > 0.9);
  assert.ok(other > 0.5 * own && other < 1.3 * own, `${other / own}`);
  const sharp = softened(pictureOf(1, 1), 2);
  for (let y = OWN_ROW - 3; y <= OWN_ROW + 3; y++)
    assert.ok(Math.abs(valueAt(sharp, 30, y) - SKIN) < 6, `row ${y}: ${valueAt(sharp, 30, y)}`);
});

test('where nothing may change every bit stays', () => {
  const target = pictureOf(5, 4);
  assert.deepEqual(softened(target, 2, 0).data, target.data);
  const { data } = softened(target, 2);
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const [x, y] = [(pixel % WIDTH) - AREA.x - 2, Math.floor(pixel / WIDTH) - AREA.y - 2];
    if (x >= 0 && y >= 0 && x < AREA.width - 4 && y < AREA.height - 4) continue;
    assert.equal(data[3 * pixel], target.data[3 * pixel]);
  }
});

/** The drawn line and the row below it. */
const rowsOf = (image: RgbImage): number[] => [0, 1].map((k) => valueAt(image, 30, LINE_ROW + k));

test('a picture with sharp edges is not soft: a small difference is of other features there', () => {
  assert.deepEqual(rowsOf(softened(pictureOf(0, 0.4), 0.6)), [LINE, SKIN]);
  assert.ok(rowsOf(softened(pictureOf(0, 4), 0.6))[0]! > LINE + 20);
});
