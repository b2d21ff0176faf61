import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { fitSkin } from './skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { beardScore } from './beard-score.ts';
import { beardCover } from './beard-cover.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
type Colour = readonly [number, number, number];
type Paint = (u: number, v: number) => Colour;
const skin: Colour = [150, -15, 22];
const hair: Colour = [60, -4, 7];
const grey: Colour = [150, -2, 3];

function modelled(paint: Paint) {
  const small = paintedAtlas(COARSE_SIDE, paint);
  return { small, model: fitSkin(small, beardlessCore(layout)) };
}

function scoreOf(paint: Paint): number {
  const { small, model } = modelled(paint);
  return beardScore(small, layout, model);
}

/** What is kept, 0..1, at (u, v) of a bearded face. */
function keptOf(paint: Paint): (u: number, v: number) => number {
  const { small, model } = modelled(paint);
  const cover = beardCover(small, layout, model);
  return (u, v) => cover[Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE)]!;
}

const isMoustache = (u: number, v: number): boolean => v > 0.61 && v < 0.66 && Math.abs(u - 0.5) < 0.13;
const isEdge = (v: number): boolean => v > 0.84;

test('a moustache that goes on around the chin is a beard, though the chin itself is bare', () => {
  assert.ok(scoreOf((u, v) => (isMoustache(u, v) || isEdge(v) ? hair : skin)) > 0.9);
});

test('a moustache alone is none, nor is a dark edge of the chin, a bare face or one in the shade', () => {
  assert.equal(
    scoreOf((u, v) => (isMoustache(u, v) ? hair : skin)),
    0,
  );
  assert.ok(scoreOf((_u, v) => (isEdge(v) ? hair : skin)) < 0.1);
  assert.equal(
    scoreOf(() => skin),
    0,
  );
  const shaded: Colour = [90, -9, 13];
  assert.ok(scoreOf((_u, v) => (v > 0.56 ? shaded : skin)) < 0.1);
  assert.ok(scoreOf((u) => (u > 0.5 ? shaded : skin)) < 0.1);
});

test('a moustache above a chin that lies in hard light from one side is not joined to a beard', () => {
  const score = scoreOf((u, v) => {
    if (isMoustache(u, v)) return hair;
    if (!isEdge(v)) return skin;
    return u > 0.5 ? [65, -7, 10] : [125, -13, 18];
  });
  assert.ok(score < 0.3, `${score}`);
});

test('a face that looks away from the camera tells no beard', () => {
  const { small, model } = modelled(() => hair);
  small.facing.fill(0.1);
  assert.equal(beardScore(small, layout, model), 0);
});

test('a beard is kept whole: both halves of the moustache, the mouth, grey tufts', () => {
  const at = keptOf((u, v) => {
    if (v < 0.6) return skin;
    const isTuft = Math.hypot(u - 0.5, v - 0.86) < 0.03 || (isMoustache(u, v) && u > 0.5);
    return isTuft ? grey : hair;
  });
  for (const [u, v] of [
    [0.44, 0.64],
    [0.56, 0.64],
    [0.5, 0.7],
    [0.5, 0.86],
    [0.3, 0.75],
  ] as const)
    assert.ok(at(u, v) > 0.95, `${at(u, v)} at ${u}, ${v}`);
  assert.equal(at(0.5, 0.5), 0);
});

test('cheeks above a beard are not kept, and the beard ends softly in them', () => {
  const at = keptOf((_u, v) => (v < 0.75 ? skin : hair));
  assert.equal(at(0.2, 0.66), 0);
  assert.ok(at(0.2, 0.82) > 0.95);
  const steps = Array.from({ length: 20 }, (_, k) => at(0.2, 0.66 + 0.008 * k));
  const largest = Math.max(...steps.slice(1).map((value, k) => value - steps[k]!));
  assert.ok(largest < 0.6, `${largest}`);
});
