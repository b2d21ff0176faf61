import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { spottedFace } from '../testing/spotted-face.ts';
import type { Atlas } from '../uv/atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { StudyRhythm } from './study-rhythm.ts';
import { TRACK_SIDE } from './light.ts';

const side = TRACK_SIDE;
const layout = createAtlasLayouts(await loadCanonicalFace())(side);

/** A face that is evenly lit, but brighter by `by` in a square of `across` texels. */
const face = (across: number, by: number): Atlas => spottedFace(side, across, 100, 100 + by);

/** Counts the frames, all the same, until the next study. */
function framesUntilDue(now: Atlas, perSecond: number): number {
  const rhythm = new StudyRhythm(side);
  assert.equal(rhythm.isDue(face(0, 0), layout, 0, true), true, 'a scene begins with a study');
  for (let count = 1; ; count++) if (rhythm.isDue(now, layout, 1 / perSecond, false)) return count;
}

test('what covers a fiftieth of the face is studied within eight frames, at 25 a second', () => {
  assert.equal(framesUntilDue(face(8, 60), 25), 8);
  assert.equal(framesUntilDue(face(8, -60), 25), 8);
});

test('light that changes on all of the face is studied within eight frames', () => {
  const dark = face(0, 0);
  dark.luma.fill(90);
  assert.equal(framesUntilDue(dark, 25), 8);
});

test('the less a face changes, the longer it waits for a study', () => {
  assert.equal(framesUntilDue(face(8, 20), 25), 16);
  assert.equal(framesUntilDue(face(0, 0), 25), 24);
});

test('films of more frames a second are studied as often in a second', () => {
  assert.equal(framesUntilDue(face(8, 60), 60), 18);
});
