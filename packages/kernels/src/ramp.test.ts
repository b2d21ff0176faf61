import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clamp } from './clamp.ts';
import { ramp } from './ramp.ts';

test('a ramp rises from 0 to 1 between its ends, and is flat beyond them', () => {
  const rising = { from: 2, to: 4 };
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((value) => ramp(rising, value)),
    [0, 0, 0.5, 1, 1],
  );
});

test('a ramp whose end lies below its beginning falls', () => {
  const falling = { from: 4, to: 2 };
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((value) => ramp(falling, value)),
    [1, 1, 0.5, 0, 0],
  );
});

test('a clamped value lies within the range, and stays as it is inside', () => {
  assert.deepEqual(
    [-1, 0, 0.5, 1, 2].map((value) => clamp(value, 0, 1)),
    [0, 0, 0.5, 1, 1],
  );
});
