import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { MediaError } from '../media-error.ts';
import { decodeImage } from './decode.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'guise-bmp-'));
after(() => rmSync(folder, { recursive: true }));

async function decode(bytes: Uint8Array) {
  const file = path.join(folder, 'image.bmp');
  writeFileSync(file, bytes);
  const { rgb, alpha, format } = await decodeImage(file, { maxPixels: 1_000_000 });
  assert.equal(format, 'bmp');
  return { width: rgb.width, height: rgb.height, pixels: [...rgb.data], alpha: alpha && [...alpha] };
}

interface BmpParts {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  /** Red, green, blue, alpha. */
  masks?: number[];
  palette?: number[][];
  pixels: number[];
  headerBytes?: number;
}

function bmp({
  width,
  height,
  bits,
  compression = 0,
  masks = [],
  palette = [],
  pixels,
  headerBytes = 40,
}: BmpParts): Buffer {
  const header = Buffer.alloc(14 + Math.max(headerBytes, 40 + masks.length * 4));
  header.write('BM', 0, 'latin1');
  header.writeUInt32LE(headerBytes, 14);
  if (headerBytes === 12) {
    [width, height, 1, bits].forEach((value, index) => header.writeUInt16LE(value, 18 + 2 * index));
  } else {
    header.writeInt32LE(width, 18);
    header.writeInt32LE(height, 22);
    header.writeUInt16LE(1, 26);
    header.writeUInt16LE(bits, 28);
    header.writeUInt32LE(compression, 30);
    header.writeUInt32LE(palette.length, 46);
    masks.forEach((mask, index) => header.writeUInt32LE(mask, 54 + 4 * index));
  }
  const core = headerBytes === 12;
  const colours = palette.flatMap(([red, green, blue]) => [blue!, green!, red!, ...(core ? [] : [0])]);
  const front = Buffer.concat([core ? header.subarray(0, 26) : header, Buffer.from(colours)]);
  front.writeUInt32LE(front.length, 10);
  return Buffer.concat([front, Buffer.from(pixels)]);
}

const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const BLUE = [0, 0, 255];
const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];
/** Red, green over blue, white: the upper row is the file's last. */
const FOUR = [...RED, ...GREEN, ...BLUE, ...WHITE];

test('24 bits, rows from the bottom up and padded to 4 bytes', async () => {
  const pixels = [255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0];
  const expected = { width: 2, height: 2, pixels: FOUR, alpha: null };
  assert.deepEqual(await decode(bmp({ width: 2, height: 2, bits: 24, pixels })), expected);
  const coreHeader = bmp({ width: 2, height: 2, bits: 24, pixels, headerBytes: 12 });
  assert.deepEqual(await decode(coreHeader), expected);
  const withoutLastPadding = bmp({ width: 2, height: 2, bits: 24, pixels: pixels.slice(0, 14) });
  assert.deepEqual(await decode(withoutLastPadding), expected);
});

test('a negative height means rows from the top down', async () => {
  const pixels = [0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0];
  assert.deepEqual((await decode(bmp({ width: 2, height: -2, bits: 24, pixels }))).pixels, FOUR);
});

test('1, 4 and 8 bits are looked up in the palette', async () => {
  const palette = [RED, GREEN, BLUE, WHITE];
  const eight = bmp({ width: 2, height: 2, bits: 8, palette, pixels: [2, 3, 0, 0, 0, 1, 0, 0] });
  assert.deepEqual((await decode(eight)).pixels, FOUR);
  const four = bmp({ width: 2, height: 2, bits: 4, palette, pixels: [0x23, 0, 0, 0, 0x01, 0, 0, 0] });
  assert.deepEqual((await decode(four)).pixels, FOUR);
  const one = bmp({ width: 3, height: 1, bits: 1, palette: [RED, GREEN], pixels: [0b0100_0000, 0, 0, 0] });
  assert.deepEqual((await decode(one)).pixels, [...RED, ...GREEN, ...RED]);
});

test('an index beyond the palette is black', async () => {
  const image = bmp({ width: 1, height: 1, bits: 8, palette: [WHITE], pixels: [200, 0, 0, 0] });
  assert.deepEqual((await decode(image)).pixels, BLACK);
});

test('16 bits are 5-5-5, or what the masks say', async () => {
  const fives = bmp({ width: 2, height: 1, bits: 16, pixels: [0x00, 0x7c, 0xff, 0x7f] });
  assert.deepEqual((await decode(fives)).pixels, [...RED, ...WHITE]);
  const masks = [0xf800, 0x07e0, 0x001f];
  const sixGreen = bmp({
    width: 2,
    height: 1,
    bits: 16,
    compression: 3,
    masks,
    pixels: [0xe0, 0x07, 0x10, 0x84],
  });
  assert.deepEqual((await decode(sixGreen)).pixels, [...GREEN, 132, 130, 132]);
});

test('32 bits: the fourth byte is nothing without a mask, and alpha with one', async () => {
  const pixels = [0, 0, 255, 128, 0, 255, 0, 255];
  const plain = await decode(bmp({ width: 2, height: 1, bits: 32, pixels }));
  assert.deepEqual(plain, { width: 2, height: 1, pixels: [...RED, ...GREEN], alpha: null });
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
  const masked = bmp({ width: 2, height: 1, bits: 32, compression: 3, masks, pixels, headerBytes: 108 });
  assert.deepEqual((await decode(masked)).alpha, [128, 255]);
});

test('alpha that is declared and left at zero everywhere is no alpha', async () => {
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
  const pixels = [0, 0, 255, 0];
  const image = bmp({ width: 1, height: 1, bits: 32, compression: 3, masks, pixels, headerBytes: 108 });
  assert.deepEqual(await decode(image), { width: 1, height: 1, pixels: RED, alpha: null });
});

test('RLE8: runs, literals, jumps and row ends', async () => {
  const palette = [BLACK, RED, GREEN, BLUE];
  // Bottom row: 2 red, 3 literal. Then one row up and 1 right: green.
  const pixels = [2, 1, 0, 3, 1, 2, 3, 0, 0, 0, 0, 2, 1, 0, 1, 2, 0, 1];
  const image = bmp({ width: 5, height: 2, bits: 8, compression: 1, palette, pixels });
  const bottom = [...RED, ...RED, ...RED, ...GREEN, ...BLUE];
  const top = [...BLACK, ...GREEN, ...BLACK, ...BLACK, ...BLACK];
  assert.deepEqual((await decode(image)).pixels, [...top, ...bottom]);
});

test('RLE4: a run alternates two colours', async () => {
  const palette = [BLACK, RED, GREEN, BLUE];
  const pixels = [3, 0x12, 0, 3, 0x31, 0x20, 0, 1];
  const image = bmp({ width: 6, height: 1, bits: 4, compression: 2, palette, pixels });
  assert.deepEqual((await decode(image)).pixels, [...RED, ...GREEN, ...RED, ...BLUE, ...RED, ...GREEN]);
});

test('runs beyond the row or the picture change nothing else', async () => {
  const palette = [BLACK, RED];
  const pixels = [255, 1, 255, 1, 0, 0, 1, 1, 0, 2, 255, 255, 255, 1];
  const image = bmp({ width: 2, height: 2, bits: 8, compression: 1, palette, pixels });
  assert.deepEqual((await decode(image)).pixels, [...RED, ...BLACK, ...RED, ...RED]);
});

const damaged = (error: unknown) => error instanceof MediaError && error.code === 'DAMAGED';

test('a file that ends before its last row is DAMAGED', async () => {
  await assert.rejects(decode(bmp({ width: 2, height: 2, bits: 24, pixels: [1, 2, 3] })), damaged);
  const palette = [BLACK, RED];
  const cutRuns = bmp({ width: 2, height: 3, bits: 8, compression: 1, palette, pixels: [2, 1, 0, 0] });
  await assert.rejects(decode(cutRuns), damaged);
});

test('a JPEG or PNG inside a BMP is UNSUPPORTED', async () => {
  const image = bmp({ width: 2, height: 2, bits: 24, compression: 4, pixels: [] });
  await assert.rejects(decode(image), (error: MediaError) => error.code === 'UNSUPPORTED');
});
