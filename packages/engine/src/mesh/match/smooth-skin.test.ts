import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { tooSmoothShare } from './smooth-skin.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);

/** Paints skin with waves of so many levels, 8 texels long in both directions. */
function skinWith(levels: number): Atlas {
  const wave = (share: number): number => Math.sin((share * SIDE * Math.PI) / 4);
  return paintedAtlas(SIDE, (u, v) => [160 + levels * wave(u) * wave(v), -10, 15]);
}

function shareOf(own: number, wanted: number, front = 0): number {
  const target = { atlas: skinWith(wanted), occluded: new Float32Array(SIDE * SIDE).fill(front) };
  return tooSmoothShare(skinWith(own).luma, target, layout);
}

test('skin with a third of the unevenness of its target is too smooth, one with most of it is not', () => {
  assert.equal(shareOf(2, 6), 0.7);
  assert.equal(shareOf(5, 6), 0);
  assert.equal(shareOf(9, 6), 0);
  const between = shareOf(2.8, 6);
  assert.ok(between > 0.1 && between < 0.6, `${between}`);
});

test('nothing is missed beside smooth skin, nor beside skin that is hidden', () => {
  assert.equal(shareOf(0, 0.5), 0);
  assert.equal(shareOf(2, 6, 1), 0);
});
