import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { hasDoubtfulBrows, hasDoubtfulEyes } from './doubtful-eyes.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const bare = paintedAtlas(SIDE, () => [160, -12, 20]);

/** Height of the brows' middle, in sides of the atlas. */
const BROW_HEIGHT = browHeight();

/** The face with a shadow of this luma in part of it. */
function shaded(luma: number, isShaded: (u: number, v: number) => boolean): Atlas {
  return paintedAtlas(SIDE, (u, v) => [isShaded(u, v) ? luma : 160, -12, 20]);
}

function browHeight(): number {
  let [sum, total] = [0, 0];
  for (const [i, share] of layout.browsSoft.entries()) {
    sum += share * Math.floor(i / SIDE);
    total += share;
  }
  return sum / total / SIDE;
}

test('a shadow over the lids of one eye makes both eyes doubtful', () => {
  const worn = shaded(90, (u, v) => u > 0.5 && v > 0.3 && v < 0.45);
  assert.equal(hasDoubtfulEyes(worn, bare, layout), true);
});

test('eyes that nothing reached are not doubtful, whatever lay over cheeks and brows', () => {
  assert.equal(hasDoubtfulEyes(bare, bare, layout), false);
  const worn = shaded(30, (_, v) => v < 0.25 || v > 0.55);
  assert.equal(hasDoubtfulEyes(worn, bare, layout), false);
});

test('a rim across one brow makes both brows doubtful, and one below them does not', () => {
  const across = shaded(60, (u, v) => u > 0.5 && Math.abs(v - BROW_HEIGHT) < 0.02);
  assert.equal(hasDoubtfulBrows(across, bare, layout), true);
  assert.equal(hasDoubtfulBrows(bare, bare, layout), false);
  const below = shaded(60, (_, v) => Math.abs(v - BROW_HEIGHT - 0.07) < 0.02);
  assert.equal(hasDoubtfulBrows(below, bare, layout), false);
});
