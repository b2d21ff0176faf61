import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFloats, decodeHalf, decodeHalves, decodeInts } from './number-decoding.ts';

test('half floats decode to their values: zeros, subnormal, smallest and largest normal, infinity, not a number', () => {
  assert.ok(Object.is(decodeHalf(0x8000), -0));
  assert.equal(decodeHalf(0x0001), 2 ** -24);
  assert.equal(decodeHalf(0x0400), 2 ** -14);
  assert.equal(decodeHalf(0x3555), 0.333251953125);
  assert.equal(decodeHalf(0xfbff), -65504);
  assert.equal(decodeHalf(0x7c00), Infinity);
  assert.ok(Number.isNaN(decodeHalf(0x7e00)));
});

test('values are read at offsets that are not aligned', () => {
  const bytes = Buffer.alloc(9);
  bytes.writeFloatLE(-2.5, 1);
  bytes.writeInt32LE(-70000, 5);
  assert.deepEqual([...decodeFloats(bytes.subarray(1, 5))], [-2.5]);
  assert.deepEqual([...decodeInts(bytes.subarray(5, 9))], [-70000]);
  assert.deepEqual([...decodeHalves(Buffer.from([0x00, 0x3c, 0x00, 0xc0]))], [1, -2]);
});
