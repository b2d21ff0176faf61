import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { Front } from '../front/front.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import type { Atlas } from '../uv/atlas.ts';
import { SmallerAtlases } from '../uv/smaller-atlases.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { type Cleaning, cleanSource } from './source-clean.ts';
import { uncover } from './uncover.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 256;
const layout = layouts(SIDE);
const SKIN = [150, -15, 22] as const;

function clean(atlas: Atlas, front: Front): Cleaning {
  return cleanSource(
    atlas,
    layout,
    front,
    uncover(atlas, new SmallerAtlases(atlas, ordinaryPlanes), front, null, layout, ordinaryPlanes),
  );
}

const texel = (u: number, v: number, side = SIDE): number =>
  Math.floor(v * side) * side + Math.floor(u * side);

/** Cleans a face of which a thing covers the lower half, or one side of it. */
function cleanCovered(isBoth: boolean): Cleaning {
  return clean(
    paintedAtlas(SIDE, () => SKIN),
    paintedFront((u, v) => (v > 0.6 && (isBoth || u < 0.5) ? { thing: 1, bare: SKIN } : { bare: SKIN })),
  );
}

/** Cleans a face with lenses whose `needed` plane has this value. */
function cleanBehindLenses(needed: number): Cleaning {
  return clean(
    paintedAtlas(SIDE, () => SKIN),
    paintedFront((_u, _v, i) => (layout.lids[i]! > 0.5 ? { lens: 1, needed, bare: SKIN } : { bare: SKIN })),
  );
}

const isFrame = (v: number): boolean => v > 0.27 && v < 0.3;
const isArm = (u: number): boolean => u > 0.3 && u < 0.33;
const isHair = (u: number, v: number): boolean => u > 0.68 && v < 0.3;
/** Hair beside the right brow, which the network does not find. */
const isFringe = (u: number, v: number): boolean => u > 0.65 && u <= 0.68 && v > 0.24 && v < 0.3;
const isLock = (u: number, v: number): boolean => v < 0.16 && Math.abs(u - 0.4) < 0.06;

test('behind a frame a brow is as it was learned, skin goes on as beside it, and an eye stays bit for bit', () => {
  const atlas = paintedAtlas(SIDE, (_u, v, i) =>
    isFrame(v) ? [15, 0, 0] : [layout.brows[i]! > 0 ? 70 : 120 + (i % 7), -15, 22],
  );
  const before = atlas.luma.slice();
  const { kept, shown } = clean(
    atlas,
    paintedFront((_u, v, i) => ({
      frame: isFrame(v) ? 1 : 0,
      bare: [layout.brows[i]! > 0 ? 60 : 113, -15, 22],
    })),
  );
  // The network's face is 10 levels darker than the visible one.
  assert.ok(Math.abs(atlas.luma[texel(0.275, 0.285)]! - 70) < 4, `${atlas.luma[texel(0.275, 0.285)]}`);
  assert.ok(Math.abs(atlas.luma[texel(0.5, 0.285)]! - 123) < 3, `${atlas.luma[texel(0.5, 0.285)]}`);
  assert.equal(atlas.luma[texel(0.35, 0.38)], before[texel(0.35, 0.38)]);
  const coarse = texel(0.5, 0.285, COARSE_SIDE);
  assert.ok(kept[coarse]! < 0.2, 'it tells nothing of the light');
  assert.ok(shown[coarse]! > 0.9, 'but it is the person');
});

test('of a bare face all but the sides, which are always filled, is left bit for bit as it is', () => {
  const atlas = paintedAtlas(SIDE, (u, v) => [150 - 6 * (u - 0.5) + 4 * (v - 0.5), -15, 22]);
  const before = atlas.luma.slice();
  const { kept, lost, hasDoubtfulEyes } = clean(atlas, paintedFront());
  assert.ok(atlas.luma.every((value, i) => value === before[i] || Math.abs((i % SIDE) / SIDE - 0.5) > 0.22));
  assert.equal(kept[texel(0.5, 0.5, COARSE_SIDE)], 1);
  assert.equal(lost, null);
  assert.equal(hasDoubtfulEyes, false);
});

test('hair beyond what was learned is filled from the skin beside it, and said to be', () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (isLock(u, v) ? [25, 0, 2] : SKIN));
  const { shown } = clean(
    atlas,
    paintedFront((u, v) => ({ hair: isLock(u, v) ? 1 : 0, bare: SKIN })),
  );
  assert.ok(Math.abs(atlas.luma[texel(0.4, 0.12)]! - 150) < 12, `${atlas.luma[texel(0.4, 0.12)]}`);
  assert.ok(shown[texel(0.4, 0.12, COARSE_SIDE)]! < 0.5);
});

test('a dark rest of hair at the end of a brow becomes what the other side shows', () => {
  const atlas = paintedAtlas(SIDE, (u, v, i) =>
    isHair(u, v) || isFringe(u, v) ? [25, 0, 2] : layout.brows[i]! > 0 ? [80, -8, 12] : SKIN,
  );
  const [fringe, other] = [texel(0.665, 0.28), texel(1 - 0.665, 0.28)];
  const wanted = atlas.luma[other]!;
  clean(
    atlas,
    paintedFront((u, v, i) => ({
      hair: isHair(u, v) ? 1 : 0,
      bare: isFringe(u, v) ? [25, 0, 2] : layout.brows[i]! > 0 ? [80, -8, 12] : SKIN,
    })),
  );
  assert.ok(Math.abs(atlas.luma[fringe]! - wanted) < 25, `${atlas.luma[fringe]}, beside it ${wanted}`);
});

test('behind a frame, dark lids stay as dark as they are beside it, although the network expects light ones', () => {
  const atlas = paintedAtlas(SIDE, (u, _v, i) =>
    isArm(u) ? [15, 0, 0] : [layout.lids[i]! > 0 ? 100 : 150, -15, 22],
  );
  clean(
    atlas,
    paintedFront((u) => ({ frame: isArm(u) ? 1 : 0, bare: SKIN })),
  );
  for (const v of [0.35, 0.41]) {
    const luma = atlas.luma[texel(0.315, v)]!;
    assert.ok(Math.abs(luma - 100) < 7, `${luma} at ${v}`);
  }
});

test('what a thing hides on one side is learned, on both it is lost', () => {
  assert.equal(cleanCovered(false).lost, null);
  const { lost } = cleanCovered(true);
  assert.ok(lost![texel(0.5, 0.7, COARSE_SIDE)]! > 0.95);
  assert.ok(lost![texel(0.5, 0.45, COARSE_SIDE)]! < 0.05);
});

test('eyes are a guess behind dark lenses, and none behind clear ones', () => {
  assert.equal(cleanBehindLenses(1).hasDoubtfulEyes, true);
  assert.equal(cleanBehindLenses(0.2).hasDoubtfulEyes, false);
});

test("a forehead behind a fringe is not the person's, and what is below the fringe is", () => {
  const { shown } = clean(
    paintedAtlas(SIDE, (_u, v) => (v < 0.2 ? [20, 0, 0] : SKIN)),
    paintedFront((_u, v) => (v < 0.2 ? { hair: 1, bare: SKIN } : { bare: SKIN })),
  );
  assert.ok(shown[texel(0.5, 0.15, COARSE_SIDE)]! < 0.2, `${shown[texel(0.5, 0.15, COARSE_SIDE)]}`);
  assert.ok(shown[texel(0.5, 0.3, COARSE_SIDE)]! > 0.9, `${shown[texel(0.5, 0.3, COARSE_SIDE)]}`);
});
