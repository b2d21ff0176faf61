import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { findShiningBrow } from './shining-brow.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const HALF = COARSE_SIDE / 2;
type Colour = readonly [luma: number, blue: number, red: number];

/** Finds a shining brow on a face with brows of these colours, the image's left one first. */
function found(left: Colour, right: Colour): Float32Array | null {
  using space = new Workspace();
  const atlas = paintedAtlas(COARSE_SIDE, (u, v) => {
    const texel = Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE);
    if (layout.browsSoft[texel]! <= 0.5) return [150, -18, 24];
    return [...(u < 0.5 ? left : right)];
  });
  return findShiningBrow(atlas, layout, fitSkin(atlas, beardlessCore(layout), space));
}

test('a brow that is paler and bluer than the other one shines', () => {
  const brow = found([115, -8, 8], [80, -18, 14])!;
  assert.ok(brow.some((value, i) => value > 0.9 && i % COARSE_SIDE < HALF));
  assert.ok(brow.every((value, i) => value === 0 || i % COARSE_SIDE < HALF));
  assert.ok(found([80, -18, 14], [115, -8, 8])!.every((value, i) => value === 0 || i % COARSE_SIDE >= HALF));
});

test('a brow that is only paler does not, nor one under a fringe of the other', () => {
  assert.equal(found([115, -18, 14], [80, -18, 14]), null);
  assert.equal(found([115, -8, 8], [40, -18, 14]), null);
  assert.equal(found([145, -8, 8], [80, -18, 14]), null);
  assert.equal(found([85, -8, 8], [80, -18, 14]), null);
});
