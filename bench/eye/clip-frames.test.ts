import assert from 'node:assert/strict';
import { test } from 'node:test';
import { middleOf, momentsOf } from './clip-frames.ts';

test('moments are spread over the clip', () => {
  assert.deepEqual(momentsOf(60), [5, 15, 25, 35, 45, 55]);
});

test('frames in a row lie in the middle', () => {
  assert.deepEqual(middleOf(60), [27, 28, 29, 30, 31, 32]);
});

test('a clip shorter than what is shown gives frames that exist', () => {
  for (const index of [...momentsOf(3), ...middleOf(3)]) assert.ok(index >= 0 && index < 3);
});
