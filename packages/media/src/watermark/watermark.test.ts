import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { addGrid, lumaGrid, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import sharp from 'sharp';
import { addWatermark, markOfGrid } from './add-watermark.ts';
import { FREQUENCIES, GRID_SIDE } from './carrier.ts';
import { decode, encode, RATE } from './convolutional-code.ts';
import { findWatermark } from './find-watermark.ts';
import { gainsAt } from './gains.ts';
import { idOf, packPayload, readPayload } from './payload.ts';
import { projectionsOf } from './projection.ts';

const ID = Uint8Array.of(0x01, 0x80, 0xff, 0x00, 0x5a, 0xc3);

/** The computer-generated figure, with some noise and no pure white, as of a camera. */
async function figure(width: number): Promise<SampleRows> {
  const { body } = await readSampleFaces();
  const picture = await samplesOf(sharp(body).resize(width));
  const noise = randomBytes();
  const data = picture.data.slice();
  for (let k = 0; k < data.length; k += 3) {
    const grain = (noise() + noise() - 255) / 32;
    for (let c = k; c < k + 3; c++) data[c] = 20 + 0.8 * data[c]! + grain;
  }
  return { ...picture, data };
}

/** Returns a generator of numbers from 0 to 255. */
function randomBytes(): () => number {
  let state = 1;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24;
}

async function samplesOf(image: ReturnType<typeof sharp>): Promise<SampleRows> {
  const { data, info } = await image
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, stride: 3 * info.width, channels: 3 };
}

/** Returns a picture with the mark in it. */
function marked(picture: SampleRows, id = ID): SampleRows {
  const copy = { ...picture, data: picture.data.slice() };
  addWatermark(copy, id);
  return copy;
}

function imageOf({ data, width, height, channels }: SampleRows): ReturnType<typeof sharp> {
  return sharp(data, { raw: { width, height, channels } });
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
  const picture = marked(await figure(800));
  for (const [name, change] of Object.entries(CHANGES)) {
    const changed = await samplesOf(sharp(await change(imageOf(picture), 800).toBuffer()));
    assert.deepEqual(findWatermark(changed)?.id, ID, name);
  }
});

test('a mark is read in a part of a picture, of any size', async () => {
  const picture = marked(await figure(900));
  const parts: Record<string, ReturnType<typeof sharp>> = {
    'six tenths of each side': imageOf(picture).extract({ left: 200, top: 77, width: 540, height: 540 }),
    'a strip': imageOf(picture).extract({ left: 0, top: 300, width: 900, height: 500 }),
    'another size': sharp(
      await imageOf(picture).extract({ left: 33, top: 40, width: 700, height: 640 }).png().toBuffer(),
    ).resize(611),
  };
  for (const [name, part] of Object.entries(parts)) {
    const found = findWatermark(await samplesOf(sharp(await part.jpeg({ quality: 90 }).toBuffer())));
    assert.deepEqual(found?.id, ID, name);
  }
});

test('a mark is not seen: samples change by two levels on flat parts, and little elsewhere', async () => {
  const flat: SampleRows = {
    data: new Uint8Array(640 * 480).fill(128),
    width: 640,
    height: 480,
    stride: 640,
    channels: 1,
  };
  const markedFlat = marked(flat);
  assert.ok(markedFlat.data.every((value) => Math.abs(value - 128) <= 2));
  assert.deepEqual(findWatermark(markedFlat)?.id, ID);
  const picture = await figure(800);
  const { data } = marked(picture);
  const error = data.reduce((sum, value, k) => sum + (value - picture.data[k]!) ** 2, 0) / data.length;
  const decibels = 10 * Math.log10(255 ** 2 / error);
  assert.ok(decibels >= 46, `${decibels} dB`);
});

test('nothing is found in pictures without a mark', async () => {
  assert.equal(findWatermark(await figure(640)), null);
  const noise = randomBytes();
  for (let k = 0; k < 10; k++) {
    const data = Uint8Array.from({ length: 64 * 48 }, noise);
    assert.equal(findWatermark({ data, width: 64, height: 48, stride: 64, channels: 1 }), null);
  }
});

test('a payload is read with many wrong bits, and its checksum tells another id', () => {
  const soft = Float64Array.from(packPayload(ID), (bit) => (bit === 1 ? 0.9 : -0.9));
  const read = readPayload(soft);
  assert.deepEqual(idOf(read), ID);
  assert.ok(Math.abs(read.agreement - 1) < 1e-9);
  // Every seventh bit is wrong, but less certain.
  const doubtful = soft.map((value, k) => (k % 7 === 0 ? -value / 2 : value));
  assert.deepEqual(idOf(readPayload(doubtful)), ID);
  for (let k = 0; k < read.bytes.length; k++) {
    const bytes = read.bytes.with(k, read.bytes[k]! ^ 1);
    assert.equal(idOf({ ...read, bytes }), null, `byte ${k}`);
  }
  assert.throws(() => packPayload(Uint8Array.of(1)), RangeError);
});

test('a code is decoded with wrong bits at any place, and its end is its beginning', () => {
  const next = randomBytes();
  const message = Uint8Array.from({ length: 72 }, () => next() & 1);
  const code = encode(message);
  assert.equal(code.length, RATE * message.length);
  const turned = encode(Uint8Array.of(...message.subarray(1), message[0]!));
  assert.deepEqual(turned, Uint8Array.of(...code.subarray(RATE), ...code.subarray(0, RATE)));
  const soft = Float64Array.from(code, (bit) => 2 * bit - 1);
  for (let first = 0; first < code.length; first++) {
    const wrong = soft.slice();
    for (const k of [0, 1, 3, 8, 100, 104]) wrong[(first + k) % code.length]! *= -1;
    assert.deepEqual(decode(wrong), message, `from ${first}`);
  }
  assert.equal(decode(new Float64Array(code.length)).length, message.length);
});

test('what is left of a mark that is enlarged and reduced is known', () => {
  const before = new Float32Array(GRID_SIDE ** 2).fill(128);
  const mark = markOfGrid(before, ID, { width: 640, height: 480 });
  for (const [width, height] of [
    [640, 480],
    [256, 256],
    [1000, 333],
    [200, 300],
  ] as const) {
    const gains = gainsAt(width, height);
    assert.equal(gains.length, FREQUENCIES.length);
    const data = new Uint8Array(width * height).fill(128);
    const samples: SampleRows = { data, width, height, stride: width, channels: 1 };
    // Eight times as much, so that rounding to whole levels matters little.
    addGrid(
      mark.map((value) => 8 * value),
      GRID_SIDE,
      samples,
    );
    const expected = projectionsOf(mark, gains);
    const seen = projectionsOf(lumaGrid(samples, GRID_SIDE).map((value) => (value - 128) / 8));
    const distance = Math.hypot(...seen.map((value, b) => value - expected[b]!));
    assert.ok(distance < 0.1 * Math.hypot(...expected), `${width} x ${height}: ${distance}`);
  }
});
