import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reduceToLongSide } from './reduce.ts';

/**
 * Makes black and white stripes of one pixel, which a poor filter turns into a pattern or into one
 * of the two colours.
 */
function stripes(width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) data.fill((pixel % 2) * 255, pixel * 3, pixel * 3 + 3);
  return data;
}

test('the long side becomes the limit and the aspect stays, upright or lying', async () => {
  const lying = { rgb: { data: stripes(300, 200), width: 300, height: 200 }, alpha: null };
  const reduced = await reduceToLongSide(lying, 150);
  assert.deepEqual([reduced.rgb.width, reduced.rgb.height, reduced.alpha], [150, 100, null]);
  assert.equal(reduced.rgb.data.length, 150 * 100 * 3);
  const upright = { rgb: { data: stripes(200, 300), width: 200, height: 300 }, alpha: null };
  const { rgb } = await reduceToLongSide(upright, 149);
  assert.deepEqual([rgb.width, rgb.height], [99, 149]);
});

test('what is small enough comes back as it is', async () => {
  const image = { rgb: { data: stripes(20, 10), width: 20, height: 10 }, alpha: null };
  assert.equal(await reduceToLongSide(image, 20), image);
  assert.equal(await reduceToLongSide(image, 4000), image);
});

test('one line of a panorama never vanishes', async () => {
  const { rgb } = await reduceToLongSide(
    { rgb: { data: stripes(1000, 1), width: 1000, height: 1 }, alpha: null },
    100,
  );
  assert.deepEqual([rgb.width, rgb.height], [100, 1]);
});

test('detail finer than the new grid becomes its mean, not a pattern', async () => {
  const { rgb } = await reduceToLongSide(
    { rgb: { data: stripes(400, 40), width: 400, height: 40 }, alpha: null },
    100,
  );
  // The outermost pixels see past the edge.
  const inner = Array.from(rgb.data.subarray(3 * 4, 3 * 96));
  assert.ok(Math.max(...inner) - Math.min(...inner) <= 6, `${Math.min(...inner)} to ${Math.max(...inner)}`);
});

test('transparency is reduced with it, and hidden colour does not bleed out', async () => {
  const data = new Uint8Array(40 * 40 * 3);
  const alpha = new Uint8Array(40 * 40);
  for (let pixel = 0; pixel < 1600; pixel++) {
    const shown = pixel % 40 < 20;
    alpha[pixel] = shown ? 255 : 0;
    data[pixel * 3 + (shown ? 0 : 1)] = 200;
  }
  const reduced = await reduceToLongSide({ rgb: { data, width: 40, height: 40 }, alpha }, 10);
  assert.equal(reduced.alpha?.length, 100);
  assert.deepEqual([reduced.alpha[0], reduced.alpha[9]], [255, 0]);
  for (let pixel = 0; pixel < 100; pixel++) {
    if (reduced.alpha[pixel] !== 0) assert.ok(reduced.rgb.data[pixel * 3 + 1]! <= 2, `green at ${pixel}`);
  }
});
