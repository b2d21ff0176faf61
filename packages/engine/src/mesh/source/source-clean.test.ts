import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { cleanSource } from './source-clean.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 256;
const layout = layouts(SIDE);
const clean = (atlas: Atlas, hasGlasses = false): Float32Array =>
  cleanSource(atlas, layout, null, hasGlasses).kept;
const skin = [150, -15, 22] as const;
const strand = (u: number, v: number): boolean => Math.abs(u - 0.4) < 0.015 && v < 0.22;
const mole = (u: number, v: number): boolean => Math.hypot(u - 0.5, v - 0.2) < 0.012;
const freckle = (u: number, v: number): boolean => Math.hypot(u - 0.42, v - 0.5) < 0.008;
const inner = (i: number): boolean => layout.brows[i]! > 0 && layout.browTails[i] === 0;
const onFrame = (u: number, v: number): boolean =>
  (v > 0.36 && v < 0.39 && Math.abs(u - 0.5) < 0.09) ||
  (Math.abs(v - 0.53) < 0.008 && Math.abs(u - 0.5) > 0.05);
const nose = (u: number, v: number): boolean => Math.abs(u - 0.5) < 0.02 && Math.abs(v - 0.46) < 0.02;
const besideHair = (u: number): number => 150 * (1 - 0.25 * Math.max(0, 1 - (u - 0.36) / 0.08));
const pupil = (u: number, v: number): boolean => Math.hypot(Math.abs(u - 0.5) - 0.15, v - 0.378) < 0.015;
const onRim = (u: number, v: number): boolean =>
  Math.abs(Math.hypot(Math.abs(u - 0.5) - 0.16, v - 0.4) - 0.115) < 0.01 ||
  (Math.abs(v - 0.38) < 0.007 && Math.abs(u - 0.5) < 0.06);
const shaded = (v: number): number => (v < 0.56 ? 105 : 150);

test('a strand of hair down the forehead is gone, and said to be', () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (strand(u, v) ? [25, 0, 2] : skin));
  const kept = clean(atlas);
  const i = Math.floor(0.17 * SIDE) * SIDE + Math.floor(0.4 * SIDE);
  assert.ok(layout.oval[i] === 1 && Math.abs(atlas.luma[i]! - 150) < 8, `${atlas.luma[i]}`);
  assert.ok(kept[Math.floor(0.17 * COARSE_SIDE) * COARSE_SIDE + Math.floor(0.4 * COARSE_SIDE)]! < 0.5);
});

test("the shade that hair throws on the forehead is gone with it, a forehead's own dark place stays", () => {
  const atlas = paintedAtlas(SIDE, (u, v) =>
    v > 0.22
      ? skin
      : u < 0.36
        ? [25, 0, 2]
        : u > 0.58 && u < 0.62
          ? [120, -15, 22]
          : [besideHair(u), -15, 22],
  );
  clean(atlas);
  const at = (u: number): number => atlas.luma[Math.floor(0.17 * SIDE) * SIDE + Math.floor(u * SIDE)]!;
  assert.ok(at(0.385) > 136, `beside the hair ${at(0.385)}`);
  assert.equal(at(0.6), 120);
});

test('of a clean face all but the sides, which are always filled, is left bit for bit as it is', () => {
  const atlas = paintedAtlas(SIDE, (u, v) => [150 - 6 * (u - 0.5) + 4 * (v - 0.5), -15, 22]);
  const before = atlas.luma.slice();
  const kept = clean(atlas);
  assert.ok(atlas.luma.every((value, i) => value === before[i] || Math.abs((i % SIDE) / SIDE - 0.5) > 0.22));
  assert.equal(kept[(COARSE_SIDE >> 1) * COARSE_SIDE + (COARSE_SIDE >> 1)], 1);
});

test('an eye under hair becomes the mirror image of the free one, with its brow', () => {
  const atlas = paintedAtlas(SIDE, (u, v, i) => {
    if (u < 0.45 && v < 0.55) return [20, 0, 2];
    if (pupil(u, v)) return [40, 0, 0];
    return layout.softEyes[i]! > 0.5 ? [200, 0, 0] : layout.brows[i]! > 0 ? [80, -6, 10] : skin;
  });
  const { mirroredEye } = cleanSource(atlas, layout, null, false);
  assert.equal(mirroredEye, 0);
  let worst = 0;
  for (let i = 0; i < atlas.luma.length; i++) {
    if (i % SIDE >= SIDE / 2 || Math.max(layout.lids[i]!, layout.brows[i]!) < 1) continue;
    const mirrored = atlas.luma[i + SIDE - 1 - 2 * (i % SIDE)]!;
    worst = Math.max(worst, Math.abs(atlas.luma[i]! - mirrored));
  }
  assert.ok(worst < 12, `${worst}`);
});

test('brows, lips and freckles in the middle of the face are never taken for hair', () => {
  const atlas = paintedAtlas(SIDE, (u, v, i) => (inner(i) || freckle(u, v) ? [60, -5, 8] : skin));
  const before = atlas.luma.slice();
  clean(atlas);
  for (let i = 0; i < before.length; i++) {
    if (inner(i)) assert.ok(Math.abs(atlas.luma[i]! - before[i]!) < 12, `brow at ${i}: ${atlas.luma[i]}`);
  }
  const mark = Math.floor(0.5 * SIDE) * SIDE + Math.floor(0.42 * SIDE);
  assert.ok(atlas.luma[mark]! < 75);
});

test('frames of glasses are filled from the skin right beside them, and the nose between them stays', () => {
  const atlas = paintedAtlas(SIDE, (u, v) =>
    onFrame(u, v) ? [15, 0, 0] : nose(u, v) ? [118, -15, 22] : [shaded(v), -15, 22],
  );
  clean(atlas, true);
  const at = (u: number, v: number): number =>
    atlas.luma[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]!;
  assert.ok(Math.abs(at(0.38, 0.53) - 105) < 12, `rim in the shade ${at(0.38, 0.53)}`);
  assert.ok(Math.abs(at(0.5, 0.46) - 118) < 4, `nose ${at(0.5, 0.46)}`);
});

test("a mole on the forehead is the person's own, unlike what hangs in from the edge", () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (mole(u, v) || strand(u, v) ? [60, -5, 8] : skin));
  clean(atlas);
  const at = (u: number, v: number): number =>
    atlas.luma[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]!;
  assert.ok(at(0.5, 0.2) < 80, `mole ${at(0.5, 0.2)}`);
  assert.ok(at(0.4, 0.17) > 130, `strand ${at(0.4, 0.17)}`);
});

test('pale rims, no lighter than the skin, are filled where their colour shows them', () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (onRim(u, v) ? [150, -1, 1] : skin));
  clean(atlas, true);
  const at = Math.floor(0.515 * SIDE) * SIDE + Math.floor(0.34 * SIDE);
  assert.ok(atlas.red[at]! > 15, `${atlas.red[at]}`);
});

test('eyes in the shadow of frames are doubtful, and no dark lid of theirs is left to peep out', () => {
  const onLid = (i: number): boolean => layout.lids[i]! > 0.5 && layout.softEyes[i]! < 0.01;
  const atlas = paintedAtlas(SIDE, (u, v, i) => {
    if (layout.softEyes[i]! > 0.5) return [60, 0, 0];
    if (onRim(u, v)) return [35, 2, 2];
    return onLid(i) ? [75, -8, 12] : skin;
  });
  assert.equal(cleanSource(atlas, layout, null, true).hasDoubtfulEyes, true);
  const dark = atlas.luma.filter((luma, i) => onLid(i) && layout.lids[i] === 1 && luma < 110).length;
  const lids = atlas.luma.filter((_, i) => onLid(i) && layout.lids[i] === 1).length;
  assert.ok(dark < 0.02 * lids, `${dark} of ${lids}`);
});

test('bare eyes are never doubtful', () => {
  const atlas = paintedAtlas(SIDE, (_u, _v, i) => (layout.softEyes[i]! > 0.5 ? [60, 0, 0] : skin));
  assert.equal(cleanSource(atlas, layout, null, false).hasDoubtfulEyes, false);
});
