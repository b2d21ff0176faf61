import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { hasDoubtfulEyes } from './doubtful-eyes.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const bare = paintedAtlas(SIDE, () => [160, -12, 20]);

/** The face with a shadow of this luma in part of it. */
function shaded(luma: number, isShaded: (u: number, v: number) => boolean): Atlas {
  return paintedAtlas(SIDE, (u, v) => [isShaded(u, v) ? luma : 160, -12, 20]);
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
