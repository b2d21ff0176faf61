import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../face/canonical-face.ts';
import { createAtlasLayouts } from './atlas-layout.ts';
import type { Atlas } from './atlas.ts';
import { evenBrows } from './even-brows.ts';
import { paintedAtlas } from './testing/painted-atlas.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);

/** Brows of luma `left` and `right` on skin of 150. */
function face(left: number, right: number): Atlas {
  return paintedAtlas(SIDE, (u, _v, i) => [layout.brows[i] === 0 ? 150 : u < 0.5 ? left : right, -10, 15]);
}

function meanBrow({ luma }: Atlas, half: 0 | 1): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < luma.length; i++) {
    if (layout.brows[i] === 0 || Number(2 * (i % SIDE) >= SIDE) !== half) continue;
    sum += luma[i]!;
    count += 1;
  }
  return sum / count;
}

function same(a: Atlas, b: Atlas): boolean {
  return a.luma.every((value, i) => value === b.luma[i]);
}

const hairOnTheLeft = Float32Array.from({ length: SIDE * SIDE }, (_, i) => (2 * (i % SIDE) < SIDE ? 0.5 : 0));
const nothing = new Float32Array(SIDE * SIDE);

test('a brow under hair becomes the mirror image of the other, which stays', () => {
  const atlas = face(20, 100);
  evenBrows(atlas, layout, hairOnTheLeft);
  assert.ok(Math.abs(meanBrow(atlas, 0) - 100) < 10, `${meanBrow(atlas, 0)}`);
  assert.equal(meanBrow(atlas, 1), 100);
});

test('brows as different, but with no hair near them, stay as they are: one is in the shade', () => {
  const atlas = face(20, 100);
  evenBrows(atlas, layout, nothing);
  assert.ok(same(atlas, face(20, 100)));
});

test('brows that hardly differ stay as they are even beside hair', () => {
  const atlas = face(95, 100);
  evenBrows(atlas, layout, hairOnTheLeft);
  assert.ok(same(atlas, face(95, 100)));
});
