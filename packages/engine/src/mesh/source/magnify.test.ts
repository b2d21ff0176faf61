import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { magnifyTwice } from './magnify.ts';

function paint(width: number, height: number, luma: (x: number, y: number) => number): RgbImage {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return luma((pixel % width) + 0.5, Math.floor(pixel / width) + 0.5) + (i % 3);
  });
  return { data, width, height };
}

/** Paints a dark line at 8, about two pixels wide. */
function softLine(at: number): number {
  return Math.round(200 - 120 * Math.exp(-((at - 8) ** 2) / 2));
}

test('a slope is the same slope at twice the size, in every channel and along both axes', () => {
  const { data, width, height } = magnifyTwice(paint(12, 9, (x, y) => 40 + 8 * x + 4 * y));
  assert.deepEqual([width, height], [24, 18]);
  for (let y = 4; y < height - 4; y++)
    for (let x = 4; x < width - 4; x++)
      for (const channel of [0, 1, 2]) {
        const expected = 40 + 4 * (x + 0.5) + 2 * (y + 0.5) + channel;
        const found = data[3 * (y * width + x) + channel]!;
        assert.ok(Math.abs(found - expected) <= 1, `${found} for ${expected} at ${x}, ${y}`);
      }
});

test('a soft line stays as deep as it is, where bilinear reading makes it shallower', () => {
  const { data, width } = magnifyTwice(paint(16, 8, softLine));
  const row = Array.from({ length: width }, (_, x) => data[3 * (8 * width + x)]!);
  for (let x = 8; x < width - 8; x++) {
    const expected = softLine((x + 0.5) / 2);
    assert.ok(Math.abs(row[x]! - expected) <= 4, `${row[x]} for ${expected} at ${x}`);
  }
});

test('flat edges of a picture stay flat', () => {
  const { data } = magnifyTwice(paint(5, 4, () => 77));
  assert.ok(data.every((value, i) => value === 77 + (i % 3)));
});
