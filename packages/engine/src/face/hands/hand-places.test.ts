import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { loadCanonicalFace } from '../geometry/canonical-face.ts';
import { handPlaces } from './hand-places.ts';

const canonical = await loadCanonicalFace();
const SIZE = 400;
const FACE = 130;
/** A flat face of that size in the middle of the picture. */
const landmarks = new Float32Array(478 * 3);
for (let v = 0; v < 468; v++)
  landmarks.set(
    [SIZE / 2 + (canonical.uv[2 * v]! - 0.5) * FACE, SIZE / 2 + (canonical.uv[2 * v + 1]! - 0.5) * FACE],
    3 * v,
  );

const SKIN = [190, 140, 120] as const;
const WALL = [120, 130, 140] as const;

/**
 * Places found where the picture is skin at (x, y), in faces from the middle.
 * @param height at which the picture ends, pixels
 */
function placesWhere(
  isSkin: (x: number, y: number) => boolean,
  skin: readonly number[] = SKIN,
  height = SIZE,
): number[] {
  const data = new Uint8Array(3 * SIZE * height);
  for (let i = 0; i < SIZE * height; i++) {
    const x = ((i % SIZE) - SIZE / 2) / FACE;
    const y = (Math.floor(i / SIZE) - SIZE / 2) / FACE;
    data.set(Math.hypot(x / 0.8, y) < 0.5 ? SKIN : isSkin(x, y) ? skin : WALL, 3 * i);
  }
  const pyramid = new ImagePyramid({ data, width: SIZE, height });
  return handPlaces(pyramid, landmarks).map(({ index }) => index);
}

const spot = (u: number, v: number) => (x: number, y: number) => Math.hypot(x - u, y - v) < 0.25;
const neck = (x: number, y: number): boolean => Math.abs(x) < 0.25 && y > 0.4 && y < 0.85;
const shoulders = (x: number, y: number): boolean => y > 0.85 || neck(x, y);

test('a face alone, with its neck, has no place for a hand', () => {
  assert.deepEqual(
    placesWhere(() => false),
    [],
  );
  assert.deepEqual(placesWhere(neck), []);
});

test('skin beside or below a face is a place, in the shade too', () => {
  assert.deepEqual(placesWhere(spot(-0.8, 0)), [1]);
  assert.deepEqual(placesWhere(spot(0.8, 0)), [2]);
  assert.deepEqual(placesWhere(spot(0.3, 0.75)), [0, 3, 4]);
  assert.deepEqual(placesWhere(spot(-0.8, 0), [105, 77, 66]), [1]);
});

test('bare shoulders are none where the throat is in the shade of the jaw', () => {
  assert.deepEqual(placesWhere(shoulders, [135, 99, 85]), []);
  assert.deepEqual(placesWhere(shoulders), [0, 3, 4]);
});

test('a wall, a shirt or hair of other colours is none', () => {
  for (const colour of [
    [60, 60, 190],
    [230, 230, 235],
    [20, 18, 16],
  ])
    assert.deepEqual(
      placesWhere(() => true, colour),
      [],
    );
});

/** Height of a picture that ends below the chin. */
const CUT_HEIGHT = Math.round(SIZE / 2 + 0.72 * FACE);

test('a hand that the lower border cuts off is a place all the same', () => {
  assert.deepEqual(placesWhere(spot(0.25, 0.7), SKIN, CUT_HEIGHT), [0, 3, 4]);
  assert.deepEqual(
    placesWhere(() => false, SKIN, CUT_HEIGHT),
    [],
  );
});
