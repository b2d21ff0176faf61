import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchFaces } from './match-faces.ts';
import type { DetectedFace } from './work.ts';

const face = (faceIndex: number, x: number, y: number, width: number, height: number): DetectedFace => ({
  faceIndex,
  x,
  y,
  width,
  height,
  score: 1,
  yaw: 0,
  pitch: 0,
  roll: 0,
});
/** Two side by side, and one far off. */
const FACES = [face(0, 0, 0, 100, 100), face(1, 90, 0, 100, 100), face(2, 500, 500, 10, 10)];

const box = (x: number, y: number, width: number, height: number, faceIndex?: number, name = 'faceBox0') => ({
  name,
  x,
  y,
  width,
  height,
  ...(faceIndex === undefined ? {} : { faceIndex }),
});

test('a box means the face that it overlaps most', () => {
  assert.deepEqual(matchFaces([box(50, 0, 100, 100)], FACES), [1]);
  assert.deepEqual(matchFaces([box(40, 0, 100, 100)], FACES), [0]);
});

test('an overlap of 0.3 is enough even with the centre outside, a little less is not', () => {
  const alone = [FACES[0]!];
  // Common 60 x 100, union 10000 + 16000 - 6000 = 20000: exactly 0.3.
  assert.deepEqual(matchFaces([box(40, 0, 160, 100)], alone), [0]);
  assert.throws(() => matchFaces([box(40, 0, 160.1, 100)], alone), { code: 'FACE_NOT_FOUND' });
});

test('a centre inside the face is enough, at its very edge too, however little the overlap', () => {
  assert.deepEqual(matchFaces([box(500, 500, 1, 1)], FACES), [2]);
  assert.deepEqual(matchFaces([box(509, 509, 2, 2)], FACES), [2]);
  assert.throws(() => matchFaces([box(509.1, 509, 2, 2)], FACES), { code: 'FACE_NOT_FOUND' });
});

test('a face that overlaps more but does not match never wins over one that does', () => {
  const wide = [face(0, 0, 0, 1000, 10), face(1, 480, 0, 30, 100)];
  assert.deepEqual(matchFaces([box(470, 5, 50, 90)], wide), [1]);
});

test('with a faceIndex the box must match that very face', () => {
  assert.deepEqual(matchFaces([box(40, 0, 100, 100, 1)], FACES), [1], 'though face 0 overlaps more');
  assert.throws(() => matchFaces([box(500, 500, 10, 10, 1)], FACES), {
    code: 'FACE_BOX_MISMATCH',
    message: 'faceBox0 does not match the face with faceIndex 1.',
  });
  assert.throws(() => matchFaces([box(0, 0, 100, 100, 3)], FACES), {
    code: 'FACE_NOT_FOUND',
    message: 'faceBox0: the group photo has no face with faceIndex 3; it has 3.',
  });
});

test('two boxes for one face are a conflict that names both', () => {
  const boxes = [box(0, 0, 100, 100), box(500, 500, 10, 10, 2, 'faceBox1'), box(1, 1, 98, 98, 0, 'faceBox2')];
  assert.throws(() => matchFaces(boxes, FACES), {
    code: 'FACE_BOX_CONFLICT',
    message: 'faceBox0 and faceBox2 both select face 0.',
  });
});

test('where there is no face at all nothing is found', () => {
  assert.throws(() => matchFaces([box(0, 0, 1, 1)], []), { code: 'FACE_NOT_FOUND' });
});
