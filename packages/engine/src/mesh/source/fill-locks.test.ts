import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { fillLocks } from './fill-locks.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
/** Column of the innermost strand: above the tail of a brow. */
const INNERMOST = 32;

/** Strands where the rule says so, filled. */
function filled(isStrand: (x: number, y: number) => boolean): Float32Array {
  const strands = layout.oval.map((inside, i) =>
    inside > 0 && isStrand(i % COARSE_SIDE, Math.floor(i / COARSE_SIDE)) ? 1 : 0,
  );
  fillLocks(strands, layout);
  return strands;
}

/** How much is hair in a row between the columns. */
function meanOf(plane: Float32Array, y: number, from: number, to: number): number {
  const row = plane.subarray(y * COARSE_SIDE + from, y * COARSE_SIDE + to);
  return row.reduce((sum, value) => sum + value, 0) / row.length;
}

test('fair hair between dark strands is one lock with them', () => {
  const lock = filled((x, y) => y < 70 && x <= INNERMOST && x % 3 !== 0);
  for (const y of [30, 45, 60]) {
    assert.ok(meanOf(lock, y, 20, INNERMOST) > 0.99, `row ${y}`);
    assert.equal(meanOf(lock, y, INNERMOST + 1, COARSE_SIDE), 0, `inside of it, row ${y}`);
  }
});

test('the other side of the face is filled alike, and by itself', () => {
  const lock = filled((x, y) => y < 70 && x >= COARSE_SIDE - 1 - INNERMOST && x % 3 !== 0);
  assert.ok(meanOf(lock, 45, COARSE_SIDE - INNERMOST, COARSE_SIDE - 20) > 0.99);
  assert.equal(meanOf(lock, 45, 0, COARSE_SIDE - 1 - INNERMOST), 0);
});

test('a single line, as wrinkles beside the eye are, makes no lock', () => {
  const line = filled((x) => x === INNERMOST || x === INNERMOST - 1);
  assert.equal(meanOf(line, 50, 10, INNERMOST - 1), 0);
});

test('skin between hair and a line far inside it stays', () => {
  const apart = filled((x) => x < 20 || x === INNERMOST);
  assert.equal(meanOf(apart, 45, 20, INNERMOST), 0);
});

test('beside the jaw strands stay single', () => {
  const jaw = filled((x) => x <= INNERMOST && x % 3 !== 0);
  assert.equal(jaw[90 * COARSE_SIDE + INNERMOST - 2], 0);
});
