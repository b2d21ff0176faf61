import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrackBeard } from './beard.ts';

/** Returns a scene's decisions, study by study, for these scores. */
function kept(scores: readonly number[]): boolean[] {
  const beard = new TrackBeard(0);
  return scores.map((score, study) => beard.follow(score, study === 0));
}

const flickering = Array.from({ length: 40 }, (_, study) => (study % 3 === 0 ? 0.2 : 0.8));

test('scores near the limit change nothing of what the first study decided', () => {
  assert.deepEqual(new Set(kept([0.6, ...flickering])), new Set([true]));
  const rarely = flickering.map((score) => 1 - score);
  assert.deepEqual(new Set(kept([0.4, ...rarely])), new Set([false]));
});

test('a chin in the shade of the first study becomes bare, and one in the light a beard', () => {
  const zeros = Array.from({ length: 20 }, () => 0);
  const ones = zeros.map(() => 1);
  assert.equal(kept([1, ...zeros]).at(-1), false);
  assert.equal(kept([0, ...ones]).at(-1), true);
  assert.equal(kept([1, 0, 0, 1])[2], true);
});

test('another scene is decided again', () => {
  const beard = new TrackBeard(0);
  assert.equal(beard.follow(1, true), true);
  assert.equal(beard.follow(0, true), false);
});

test("a beard of the source that is about as dense takes the place of the face's own", () => {
  const beard = new TrackBeard(0.9);
  assert.equal(beard.follow(0.6, true), false);
  assert.equal(beard.follow(0.8, false), false);
  assert.equal(new TrackBeard(0.8).follow(0.9, true), false);
  assert.equal(new TrackBeard(0.6).follow(0.9, true), true);
});
