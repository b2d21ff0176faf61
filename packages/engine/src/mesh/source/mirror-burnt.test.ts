import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { mirrorBurnt } from './mirror-burnt.ts';

const SIDE = 256;
const small = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

/** Paints the image-left half of a face as `left`, with a rim at the middle, the rest `right`. */
function lit(left: number, right: number, leftFacing = 0.8, rightFacing = 0.8): Atlas {
  const atlas = paintedAtlas(SIDE, (u) => [u < 0.42 ? left : u < 0.46 ? 0.8 * left : right, -10, 15]);
  for (let i = 0; i < atlas.facing.length; i++)
    atlas.facing[i] = i % SIDE < SIDE / 2 ? leftFacing : rightFacing;
  return atlas;
}

/** Returns the luma on the image-left cheek and on the rim next to it. */
function cheekOf(atlas: Atlas): { cheek: number; rim: number } {
  mirrorBurnt(atlas, small);
  const row = Math.floor(0.55 * SIDE) * SIDE;
  return {
    cheek: atlas.luma[row + Math.floor(0.33 * SIDE)]!,
    rim: atlas.luma[row + Math.floor(0.44 * SIDE)]!,
  };
}

test('skin that the sun has burnt out is the other cheek in the mirror, and so is its rim', () => {
  const { cheek, rim } = cheekOf(lit(250, 140));
  assert.ok(Math.abs(cheek - 140) < 2, `${cheek}`);
  assert.ok(Math.abs(rim - 140) < 15, `${rim}`);
});

test('light skin, and skin that is burnt out on both sides, keeps its bits', () => {
  for (const [left, right] of [
    [210, 140],
    [250, 240],
  ] as const) {
    const atlas = lit(left, right);
    const before = atlas.luma.slice();
    mirrorBurnt(atlas, small);
    assert.deepEqual(atlas.luma, before);
  }
});

test('a far cheek, turned away, does not stand for the near one', () => {
  const atlas = lit(250, 140, 0.9, 0.4);
  const before = atlas.luma.slice();
  mirrorBurnt(atlas, small);
  assert.deepEqual(atlas.luma, before);
});

test('a small place that the other side shows less well is replaced with the rest', () => {
  const atlas = lit(250, 140);
  for (let i = 0; i < atlas.facing.length; i++) {
    const [x, y] = [(i % SIDE) / SIDE, i / SIDE / SIDE];
    if (x > 0.62 && x < 0.66 && y > 0.53 && y < 0.57) atlas.facing[i] = 0.38;
  }
  mirrorBurnt(atlas, small);
  const luma = atlas.luma[Math.floor(0.55 * SIDE) * SIDE + Math.floor(0.36 * SIDE)]!;
  assert.ok(luma < 170, `${luma}`);
});
