import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { TrackOccluders } from './occluders.ts';

const SIDE = 128;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const chin = layout.beardZone.findIndex((value) => value > 0.99);
const forehead = 20 * SIDE + SIDE / 2;

/** What is drawn at a texel, study by study, when it is found covered as told. */
function drawn(texel: number, found: readonly number[]): number[] {
  const occluders = new TrackOccluders(layout);
  const plane = new Float32Array(SIDE * SIDE);
  return found.map((value, study) => {
    occluders.follow(plane.fill(value), study === 0, 0.1);
    return plane[texel]!;
  });
}

test('a beard that is found in most studies does not flash where it is not', () => {
  const seen = drawn(chin, [1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1]);
  assert.ok(
    seen.every((value) => value > 0.95),
    seen.join(' '),
  );
});

test('a chin that is taken for a beard once does not flash', () => {
  const seen = drawn(chin, [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
  assert.ok(
    seen.every((value) => value < 0.2),
    seen.join(' '),
  );
});

test('a hand is in front of the forehead at once, before the chin at its second sight; it goes when it goes', () => {
  assert.deepEqual(drawn(forehead, [0, 0, 1, 1, 0]), [0, 0, 1, 1, drawn(forehead, [0, 0, 1, 1, 0])[4]!]);
  assert.ok(drawn(forehead, [0, 0, 1, 1, 0])[4]! < 0.1);
  assert.ok(drawn(chin, [0, 0, 1, 1])[3]! > 0.99);
});

test('a new scene knows nothing of the one before', () => {
  const occluders = new TrackOccluders(layout);
  const plane = new Float32Array(SIDE * SIDE);
  assert.equal(occluders.follow(plane.fill(1), true, 0.1), true);
  assert.equal(occluders.follow(plane.fill(0), true, 0.1), false);
  assert.ok(plane.every((value) => value === 0));
});
