import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { TargetFace } from '../target/target-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { borrowPores, poreShare } from './pores.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const SKIN_LUMA = 160;
/** Number of texels for one pixel of the small source. */
const PIXEL_TEXELS = 2.5;
/** Vertices of a cheek and of the middle of a lip. */
const [CHEEK, LIP] = [50, 0];

/**
 * Paints skin with noise of so many levels and one mark of `mark` levels on the cheek.
 * @param radius of the mark, texels
 */
function skinWith(noise: number, seed: number, mark = 0, radius = 2): Atlas {
  const middle = texelAt(CHEEK);
  return paintedAtlas(SIDE, (_u, _v, i) => {
    const grain = noise * ((((i + seed) * 7919) % 41) / 20 - 1);
    const [x, y] = [(i % SIDE) - (middle % SIDE), Math.floor(i / SIDE) - Math.floor(middle / SIDE)];
    const isMarked = Math.hypot(x, y) <= radius;
    return [SKIN_LUMA + grain - (isMarked ? mark : 0), -10 + grain / 2, 15 - grain / 2];
  });
}

function texelAt(vertex: number): number {
  const [x, y] = [0, 1].map((k) => Math.floor(layout.points[2 * vertex + k]!));
  return y! * SIDE + x!;
}

function borrowed(source: Atlas, target: Atlas, share: number, skin = 1): Atlas {
  const lit = { ...source, luma: source.luma.slice(), blue: source.blue.slice(), red: source.red.slice() };
  const face = {
    atlas: target,
    skin: new Float32Array(COARSE_SIDE ** 2).fill(skin),
    occluded: new Float32Array(SIDE * SIDE),
  } as unknown as TargetFace;
  borrowPores(lit, face, layout, PIXEL_TEXELS, share, ordinaryPlanes);
  return lit;
}

/** Correlates the detail of two lumas around the cheek, -1 to 1. */
function likeness(a: Atlas, b: Atlas): number {
  let [ab, aa, bb] = [0, 0, 0];
  const at = texelAt(CHEEK);
  for (let y = -6; y <= 6; y++)
    for (let x = -6; x <= 6; x++) {
      const [p, q] = [a, b].map(({ luma }) => luma[at + y * SIDE + x]! - SKIN_LUMA);
      ab += p! * q!;
      aa += p! * p!;
      bb += q! * q!;
    }
  return ab / Math.sqrt(aa * bb);
}

test("skin of a small source has the target's pores instead of its own noise", () => {
  const [source, target] = [skinWith(6, 0), skinWith(3, 17)];
  assert.ok(likeness(source, target) < 0.3);
  const lit = borrowed(source, target, 1);
  assert.ok(likeness(lit, target) > 0.9, `like the target ${likeness(lit, target)}`);
  const at = texelAt(CHEEK);
  for (const k of [-2, -1, 0, 1, 2]) {
    assert.ok(Math.abs(lit.blue[at + k]! + 10) < 1, `blue ${lit.blue[at + k]}`);
    assert.ok(Math.abs(lit.red[at + k]! - 15) < 1, `red ${lit.red[at + k]}`);
  }
});

test('lips and other features stay as sharp as they are', () => {
  const source = skinWith(6, 0);
  const lit = borrowed(source, skinWith(3, 17), 1);
  assert.equal(lit.luma[texelAt(LIP)], source.luma[texelAt(LIP)]);
});

test("a mole of the source stays, and neither specks nor the target's moles do", () => {
  const marked = borrowed(skinWith(2, 0, 70), skinWith(2, 17), 1);
  assert.ok(marked.luma[texelAt(CHEEK)]! < SKIN_LUMA - 45, `${marked.luma[texelAt(CHEEK)]}`);
  const speck = borrowed(skinWith(2, 0, 15, 0), skinWith(2, 17), 1);
  assert.ok(speck.luma[texelAt(CHEEK)]! > SKIN_LUMA - 6, `speck ${speck.luma[texelAt(CHEEK)]}`);
  const foreign = borrowed(skinWith(2, 0), skinWith(2, 17, 70, 0), 1);
  assert.ok(foreign.luma[texelAt(CHEEK)]! > SKIN_LUMA - 10, `${foreign.luma[texelAt(CHEEK)]}`);
});

test('where the target shows no skin, and at share 0, no bit changes', () => {
  const source = skinWith(6, 0);
  for (const lit of [borrowed(source, skinWith(3, 17), 1, 0), borrowed(source, skinWith(3, 17), 0)])
    assert.deepEqual([lit.luma, lit.blue, lit.red], [source.luma, source.blue, source.red]);
});

test('only a source of fewer pixels than are shown of it needs pores', () => {
  assert.equal(poreShare(110, 320, 512), 1);
  assert.equal(poreShare(300, 320, 512), 0);
  assert.equal(poreShare(110, 112, 256), 0);
  // The target is large, but its atlas shows no more than the source has.
  assert.equal(poreShare(272, 1344, 512), 0);
});
