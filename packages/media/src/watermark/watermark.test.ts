import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import sharp from 'sharp';
import { findMark } from './find-mark.ts';
import { markOfLuma } from './mark-luma.ts';
import { packPayload, readPayload } from './payload.ts';
import { fromGrid, type Plane, seenAgain, toGrid } from './resample.ts';

const ID = Uint8Array.of(0x01, 0x80, 0xff, 0x00, 0x5a, 0xc3);

/** The luma of the computer-generated figure, with some noise and no pure white, as of a camera. */
async function figure(width: number): Promise<Plane> {
  const { body } = await readSampleFaces();
  const luma = await lumaOf(sharp(body).resize(width));
  const noise = randomBytes();
  return { ...luma, data: luma.data.map((value) => 20 + 0.8 * value + (noise() + noise() - 255) / 32) };
}

/** Returns a generator of numbers from 0 to 255. */
function randomBytes(): () => number {
  let state = 1;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24;
}

async function lumaOf(image: ReturnType<typeof sharp>): Promise<Plane> {
  const { data, info } = await image.removeAlpha().grayscale().raw().toBuffer({ resolveWithObject: true });
  const luma = Float32Array.from({ length: info.width * info.height }, (_, k) => data[k * info.channels]!);
  return { data: luma, width: info.width, height: info.height };
}

/** Returns a picture with the mark in it, as an image of 8 bits. */
function marked(luma: Plane, id = ID): ReturnType<typeof sharp> {
  const mark = markOfLuma(luma, id);
  const data = Uint8Array.from(luma.data, (value, k) =>
    Math.max(0, Math.min(255, Math.round(value + mark[k]!))),
  );
  return sharp(data, { raw: { width: luma.width, height: luma.height, channels: 1 } });
}

/** Changes a picture, as a file goes through hands. */
const CHANGES: Record<string, (image: ReturnType<typeof sharp>, width: number) => ReturnType<typeof sharp>> =
  {
    'as it is': (image) => image.png(),
    'JPEG of quality 30': (image) => image.jpeg({ quality: 30 }),
    'WebP of quality 50': (image) => image.webp({ quality: 50 }),
    'half the size, JPEG of quality 50': (image, width) =>
      image.resize(Math.round(width / 2)).jpeg({ quality: 50 }),
    'another aspect': (image) => image.resize(500, 500, { fit: 'fill' }).png(),
    'ten per cent darker': (image) => image.linear(0.9, 0).png(),
    'ten per cent lighter': (image) => image.linear(1.1, 0).png(),
  };

test('a mark is read after what happens to a picture', async () => {
  const luma = await figure(800);
  for (const [name, change] of Object.entries(CHANGES)) {
    const changed = await lumaOf(sharp(await change(marked(luma), 800).toBuffer()));
    assert.deepEqual(findMark(changed)?.id, ID, name);
  }
});

test('a mark is not seen: the samples of a flat part change by two to three levels at most', async () => {
  const flat = { data: new Float32Array(640 * 480).fill(128), width: 640, height: 480 };
  const mark = markOfLuma(flat, ID);
  const most = mark.reduce((worst, value) => Math.max(worst, Math.abs(value)), 0);
  assert.ok(most < 3, `${most} levels`);
  assert.deepEqual(findMark(await lumaOf(sharp(await marked(flat).png().toBuffer())))?.id, ID);
  const luma = await figure(800);
  const error = markOfLuma(luma, ID).reduce((sum, value) => sum + value * value, 0) / luma.data.length;
  const decibels = 10 * Math.log10(255 ** 2 / error);
  assert.ok(decibels >= 46, `${decibels} dB`);
});

test('nothing is found in pictures without a mark', async () => {
  assert.equal(findMark(await figure(640)), null);
  const noise = randomBytes();
  for (let k = 0; k < 40; k++) {
    const data = Float32Array.from({ length: 64 * 48 }, noise);
    assert.equal(findMark({ data, width: 64, height: 48 }), null);
  }
});

test('a payload is read with a few wrong bits, and not with many', () => {
  const soft = Float64Array.from(packPayload(ID), (bit) => (bit === 1 ? 0.9 : -0.9));
  assert.deepEqual(readPayload(soft), ID);
  const faint = soft.slice();
  for (const k of [3, 40, 71]) faint[k] = -0.1 * Math.sign(faint[k]!);
  assert.deepEqual(readPayload(faint), ID);
  const wrong = soft.slice();
  for (const k of [40, 71, 72]) wrong[k] = -wrong[k]!;
  assert.equal(readPayload(wrong), null);
  assert.equal(readPayload(soft.map((value, k) => (k < 3 ? -value : value))), null);
  assert.throws(() => packPayload(Uint8Array.of(1)), RangeError);
});

test('what is seen of a grid at some size is what is seen of its picture', () => {
  const grid = Float32Array.from({ length: 256 * 256 }, (_, k) => 100 + 50 * Math.sin(k / 7) + (k % 11));
  for (const [width, height] of [
    [640, 480],
    [256, 256],
    [1000, 333],
    [200, 300],
  ] as const) {
    const again = toGrid({ data: fromGrid(grid, width, height), width, height });
    const seen = seenAgain(width, height)(grid);
    const worst = again.reduce((most, value, k) => Math.max(most, Math.abs(value - seen[k]!)), 0);
    assert.ok(worst < 1e-2, `${width} x ${height}: ${worst}`);
  }
});
