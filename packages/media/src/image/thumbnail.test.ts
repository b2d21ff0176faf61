import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { makeThumbnail } from './thumbnail.ts';

/** Makes a black picture with a white square. */
function pictureWith(at: { x: number; y: number; side: number }, width = 400, height = 300) {
  const data = new Uint8Array(3 * width * height);
  for (let y = at.y; y < at.y + at.side; y++)
    data.fill(255, 3 * (y * width + at.x), 3 * (y * width + at.x + at.side));
  return { data, width, height };
}

test('a thumbnail is a small WebP, and shows the box with its surroundings', async () => {
  const image = pictureWith({ x: 300, y: 40, side: 60 });
  const file = await makeThumbnail(image, { x: 300, y: 40, width: 60, height: 60 });
  const { format, width, height } = await sharp(file).metadata();
  assert.deepEqual([format, width, height], ['webp', 128, 128]);
  assert.ok(file.length < 10_000, `${file.length}`);
  const { data } = await sharp(file).greyscale().raw().toBuffer({ resolveWithObject: true });
  assert.ok(data[64 * 128 + 64]! > 240, 'the middle is the box');
  assert.ok(data[4 * 128 + 4]! < 15, 'the corner is not');
});

test('a box at the edge, and one larger than the picture, stay inside', async () => {
  const image = pictureWith({ x: 0, y: 0, side: 20 });
  for (const box of [
    { x: -10, y: -10, width: 30, height: 30 },
    { x: 390, y: 290, width: 30, height: 30 },
    { x: -100, y: -100, width: 900, height: 900 },
    { x: 5.4, y: 3.2, width: 0.2, height: 0.1 },
  ]) {
    assert.equal((await sharp(await makeThumbnail(image, box)).metadata()).width, 128);
  }
});

test('without a box, and of a picture of one pixel, there is a thumbnail too', async () => {
  for (const image of [
    pictureWith({ x: 10, y: 10, side: 50 }),
    { data: new Uint8Array(3), width: 1, height: 1 },
  ]) {
    assert.equal((await sharp(await makeThumbnail(image, null)).metadata()).height, 128);
  }
});
