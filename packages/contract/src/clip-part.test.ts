import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOfClip, secondsOfPart } from './clip-part.ts';

const NAMES = { start: 'startSeconds', end: 'endSeconds', clip: 'targetVideo' };
const part = (start: number | undefined, end: number | undefined, length = 10): unknown =>
  partOfClip({ start, end }, length, NAMES);

test('a part lies within its clip, and what is left out is the clip’s own start or end', () => {
  assert.equal(part(undefined, undefined), undefined);
  assert.deepEqual(part(2, undefined), { startSeconds: 2, endSeconds: 10 });
  assert.deepEqual(part(undefined, 4.5), { startSeconds: 0, endSeconds: 4.5 });
  assert.deepEqual(part(9.5, 10), { startSeconds: 9.5, endSeconds: 10 });
  assert.throws(() => part(-0.1, 5), /^AppError: startSeconds must be a number of 0 or more\./);
  assert.throws(() => part(5, 3), /^AppError: endSeconds must be at least 0\.5 seconds after startSeconds/);
  assert.throws(() => part(5, 5.49), /^AppError: endSeconds must be at least 0\.5 seconds after/);
  assert.throws(() => part(undefined, 0.2), /^AppError: endSeconds must be at least 0\.5 seconds after 0/);
  assert.throws(() => part(9.6, undefined), /^AppError: startSeconds must lie at least 0\.5 seconds before/);
});

test('an end up to 0.05 s behind the clip’s means the clip’s', () => {
  assert.deepEqual(part(2, 10.05), { startSeconds: 2, endSeconds: 10 });
  assert.throws(() => part(2, 10.06), /^AppError: endSeconds .* targetVideo is 10 seconds long/);
});

test('all of a clip is no part of it', () => {
  assert.equal(part(0, 10.03), undefined);
});

test('the length of a part has no rounding error', () => {
  assert.equal(secondsOfPart({ startSeconds: 2.3, endSeconds: 9.3 }, 10), 7);
  assert.equal(secondsOfPart(undefined, 9.96), 9.96);
});
