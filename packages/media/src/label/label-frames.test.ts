import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RgbaFrame } from '../gif/rgba-frame.ts';
import { colourMatrix } from '../video/colour.ts';
import type { MediaFrame } from '../video/video-types.ts';
import { YuvFrame } from '../video/yuv-frame.ts';
import { drawLabel } from './draw-label.ts';
import { labelFrames } from './label-frames.ts';
import { labelImage } from './label-image.ts';

const [WIDTH, HEIGHT] = [481, 361];
const STRIDE = 512;
const label = drawLabel(WIDTH, HEIGHT);

const noise = (i: number): number => (i * 7919 + 13 * (i >> 5)) % 256;
const noisy = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => noise(i));
const inLabel = (x: number, y: number, halved: 0 | 1 = 0): boolean =>
  x >= label.x >> halved &&
  y >= label.y >> halved &&
  x < (label.x + label.width) >> halved &&
  y < (label.y + label.height) >> halved;

const untouched = async (): Promise<void> => {};

function yuvFrame(planes: readonly Uint8Array[], isFull: boolean): YuvFrame {
  const strides = [STRIDE, STRIDE / 2, STRIDE / 2, STRIDE];
  const store = { planes, strides: strides.slice(0, planes.length), width: WIDTH, height: HEIGHT };
  return new YuvFrame(store, colourMatrix(1, isFull, WIDTH, HEIGHT), 0, 0);
}

function noisyPlanes(): Uint8Array[] {
  const half = (STRIDE / 2) * ((HEIGHT + 1) >> 1);
  return [noisy(STRIDE * HEIGHT), noisy(half), noisy(half)];
}

for (const isFull of [false, true]) {
  test(`a ${isFull ? 'full' : 'limited'}-range frame gets the label in place, and keeps every other sample`, async () => {
    const planes = noisyPlanes();
    const before = planes.map((plane) => plane.slice());
    await labelFrames(true, untouched)(yuvFrame(planes, isFull));
    const [black, white] = isFull ? [0, 255] : [16, 235];
    for (const [k, plane] of planes.entries()) {
      const [halved, stride] = k === 0 ? ([0, STRIDE] as const) : ([1, STRIDE / 2] as const);
      for (let i = 0; i < plane.length; i++)
        if (!inLabel(i % stride, Math.floor(i / stride), halved)) assert.equal(plane[i], before[k]![i]);
    }
    for (let i = 0; i < label.alpha.length; i++) {
      const at = (label.y + Math.floor(i / label.width)) * STRIDE + label.x + (i % label.width);
      const grey = black + ((white - black) * label.levels[i]!) / 255;
      const share = label.alpha[i]! / 255;
      const wanted = before[0]![at]! * (1 - share) + grey * share;
      assert.ok(Math.abs(planes[0]![at]! - wanted) <= 0.51, `${i}: ${planes[0]![at]}, not ${wanted}`);
    }
    // The middle of the badge's left padding is opaque, so it has no colour left.
    const chromaAt = ((label.y + label.height / 2) >> 1) * (STRIDE / 2) + ((label.x + 8) >> 1);
    assert.deepEqual([planes[1]![chromaAt], planes[2]![chromaAt]], [128, 128]);
  });
}

test('the label is seen where a frame or a picture is transparent, and alpha elsewhere is kept', async () => {
  const yuva = [...noisyPlanes(), new Uint8Array(STRIDE * HEIGHT)];
  await labelFrames(true, untouched)(yuvFrame(yuva, false));
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  await labelFrames(true, untouched)(new RgbaFrame(rgba, WIDTH, HEIGHT, 0, 0));
  const alpha = Buffer.alloc(WIDTH * HEIGHT);
  const rgb = { data: Buffer.alloc(WIDTH * HEIGHT * 3), width: WIDTH, height: HEIGHT };
  const still = labelImage({ rgb, alpha });
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const at = (y - label.y) * label.width + x - label.x;
      const wanted = inLabel(x, y) ? label.alpha[at]! : 0;
      const pixel = y * WIDTH + x;
      assert.deepEqual(
        [yuva[3]![y * STRIDE + x], rgba[4 * pixel + 3], still.alpha![pixel]],
        [wanted, wanted, wanted],
      );
      if (wanted === 255) assert.equal(rgba[4 * pixel], label.levels[at]);
    }
  assert.ok(alpha.every((value) => value === 0) && rgb.data.every((value) => value === 0), 'a copy');
});

test('a picture of a GIF gets the label after its edit, at the same place in every frame', async () => {
  const edit = labelFrames(true, async (frame: MediaFrame) => {
    const { width, height } = frame;
    const data = new Uint8Array(width * height * 3).fill(100 + frame.index);
    frame.commitRgb({ x: 0, y: 0, width, height }, { data, width, height });
  });
  for (const index of [0, 1]) {
    const rgba = noisy(WIDTH * HEIGHT * 4).map((value, i) => (i % 4 === 3 ? 255 : value));
    await edit(new RgbaFrame(rgba, WIDTH, HEIGHT, index, 0));
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++) {
        const at = (y - label.y) * label.width + x - label.x;
        const share = inLabel(x, y) ? label.alpha[at]! / 255 : 0;
        const wanted = (100 + index) * (1 - share) + (share === 0 ? 0 : label.levels[at]!) * share;
        for (const channel of [0, 1, 2])
          assert.ok(Math.abs(rgba[4 * (y * WIDTH + x) + channel]! - wanted) <= 0.51);
        assert.equal(rgba[4 * (y * WIDTH + x) + 3], 255);
      }
  }
});

test('without the wish for a label, nothing is added', () => {
  assert.equal(labelFrames(undefined, untouched), untouched);
  assert.equal(labelFrames(false, untouched), untouched);
});
