import assert from 'node:assert/strict';
import { test } from 'node:test';
import { middleOf, momentsOf } from './clip-frames.ts';

test('moments are spread evenly over the clip', () => {
  assert.deepEqual(momentsOf(60), [5, 15, 25, 35, 45, 55]);
});

test('consecutive frames are in the middle of the clip', () => {
  assert.deepEqual(middleOf(60), [27, 28, 29, 30, 31, 32]);
});

test('for a short clip, only existing frames are chosen', () => {
  for (const index of [...momentsOf(3), ...middleOf(3)]) assert.ok(index >= 0 && index < 3);
});
