import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { TrackOccluders } from './occluders.ts';

const SIDE = 128;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const chin = Math.floor(0.85 * SIDE) * SIDE + SIDE / 2;
const forehead = 20 * SIDE + SIDE / 2;
const cheek = Math.floor(0.58 * SIDE) * SIDE + Math.floor(0.36 * SIDE);

const SKIN_LUMA = 150;
/** Luma of things that cover a face: dark hair, and smoke as light as skin. */
const HAIR = 40;
const SMOKE = 150;

interface Seen {
  readonly covered: number;
  readonly luma?: number;
  readonly facing?: number;
}

/** Returns what is drawn at a texel after each study. */
function drawnOf(texel: number, studies: readonly Seen[]): number[] {
  const occluders = new TrackOccluders(layout);
  return studies.map(({ covered, luma = HAIR, facing = 1 }, study) => {
    const face = studyOf(covered, luma, facing);
    occluders.follow(face, study === 0, 0.1);
    return face.occluded[texel]!;
  });
}

/** Makes a study in which all of a face has these values. */
function studyOf(covered: number, luma: number, facing: number): Parameters<TrackOccluders['follow']>[0] {
  const small = paintedAtlas(SIDE, () => [luma, -14, 20]);
  small.facing.fill(facing);
  const plane = (value: number): Float32Array => new Float32Array(SIDE * SIDE).fill(value);
  return { small, occluded: plane(covered), frames: plane(0), front: plane(covered), skinLuma: SKIN_LUMA };
}

/** Returns what is drawn at a dark texel after each study that found this coverage. */
function drawn(texel: number, found: readonly number[]): number[] {
  return drawnOf(
    texel,
    found.map((covered) => ({ covered })),
  );
}

const bare: Seen = { covered: 0, luma: SKIN_LUMA };

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

test('a fringe that is found in most studies does not flash where it is not', () => {
  const seen = drawn(forehead, [1, 0, 1, 1, 0, 0, 1, 1, 0, 1]);
  assert.ok(
    seen.every((value) => value > 0.95),
    seen.join(' '),
  );
});

test('smoke before a cheek is forgotten as soon as a study shows the cheek', () => {
  const smoke: Seen = { covered: 1, luma: SMOKE };
  assert.deepEqual(
    drawnOf(cheek, [bare, smoke, smoke, smoke, smoke, smoke, smoke, bare, bare]).slice(-2),
    [0, 0],
  );
});

test('what a cheek seems covered by in profile does not stay when it faces the camera again', () => {
  const aside: Seen = { covered: 1, facing: 0.1 };
  const seen = drawnOf(cheek, [bare, bare, aside, aside, aside, aside, aside, aside, bare]);
  assert.equal(seen.at(-1), 0);
  // The result is the same if the scene begins in profile.
  assert.equal(drawnOf(cheek, [aside, aside, aside, aside, aside, aside, bare]).at(-1), 0);
});

test('a side of the face that never looks at the camera keeps its hair', () => {
  const hair: Seen = { covered: 1, facing: 0.12 };
  assert.equal(drawnOf(cheek, [hair, hair, hair, { ...hair, covered: 0 }]).at(-1), 1);
});

test('a beard that was taken for one is forgotten at the second study that shows bare skin', () => {
  const beard: Seen = { covered: 1 };
  const seen = drawnOf(chin, [beard, beard, beard, beard, bare, bare]);
  assert.ok(seen[4]! > 0.95, seen.join(' '));
  assert.equal(seen[5], 0);
});

test('a new scene knows nothing of the one before', () => {
  const occluders = new TrackOccluders(layout);
  assert.equal(occluders.follow(studyOf(1, HAIR, 1), true, 0.1), true);
  const next = studyOf(0, HAIR, 1);
  assert.equal(occluders.follow(next, true, 0.1), false);
  assert.ok(next.occluded.every((value) => value === 0));
});

test('a piece of glasses is in front at once and fades over studies that do not find it', () => {
  const occluders = new TrackOccluders(layout);
  const seen = [0, 1, 0, 1, 0, 0, 0, 0, 0].map((found, study) => {
    const face = studyOf(0, SKIN_LUMA, 1);
    const frames = new Float32Array(SIDE * SIDE).fill(found);
    const now = { ...face, frames, occluded: frames.slice() };
    occluders.follow(now, study === 0, 0.1);
    return now.occluded[cheek]!;
  });
  assert.equal(seen[1], 1);
  assert.ok(seen[2]! > 0.75, seen.join(' '));
  assert.equal(seen[3], 1);
  assert.ok(seen[5]! > 0.5 && seen[5]! < 0.7, seen.join(' '));
  assert.ok(seen[8]! < 0.05, seen.join(' '));
});
