import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { beardCover, beardScore, scoresBearded } from './beard.ts';
import type { Front } from './front.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const ahead = new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(1);
type Place = (u: number, v: number) => boolean;

const bearded = (isHair: Place): Front => paintedFront((u, v) => (isHair(u, v) ? { beard: 1 } : {}));

const isChin: Place = (u, v) => v > 0.72 && Math.abs(u - 0.5) < 0.3;
const isLip: Place = (u, v) => v > 0.59 && v < 0.67 && Math.abs(u - 0.5) < 0.13;
const isRight: Place = (u, v) => u > 0.5 && isChin(u, v);
const isBoth: Place = (u, v) => isChin(u, v) || isLip(u, v);

const isBearded = (isHair: Place, facing = ahead): boolean =>
  scoresBearded(beardScore(bearded(isHair), facing, layout, ordinaryPlanes));
test('a beard is what covers the chin: a moustache goes with the face, nothing is none', () => {
  assert.equal(isBearded(isChin), true);
  assert.equal(isBearded(isLip), false);
  assert.equal(
    isBearded(() => false),
    false,
  );
});

test('only what faces the camera tells', () => {
  const turned = ahead.map((_, i) => (i % COARSE_SIDE < COARSE_SIDE / 2 ? 0 : 1));
  const other = ahead.map((facing, i) => facing - turned[i]!);
  assert.deepEqual([isBearded(isRight, turned), isBearded(isRight, other)], [true, false]);
  assert.equal(isBearded(isBoth, new Float32Array(ahead.length)), false);
});

/** Returns the share of a bearded face that is kept at (u, v), 0..1. */
function keptOf(isHair: Place): (u: number, v: number) => number {
  const cover = beardCover(bearded(isHair), layout, ordinaryPlanes);
  return (u, v) => cover[Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE)]!;
}

test('a beard is kept whole: moustache, mouth, gaps', () => {
  const at = keptOf((u, v) => v > 0.6 && Math.hypot(u - 0.35, v - 0.86) > 0.012);
  for (const [u, v] of [
    [0.44, 0.64],
    [0.56, 0.64],
    [0.5, 0.7],
    [0.35, 0.86],
    [0.3, 0.75],
  ] as const)
    assert.ok(at(u, v) > 0.95, `${at(u, v)} at ${u}, ${v}`);
  assert.equal(at(0.5, 0.5), 0);
});

test('cheeks above a beard are not kept, and the beard ends softly in them', () => {
  const at = keptOf((_u, v) => v > 0.75);
  assert.equal(at(0.2, 0.66), 0);
  assert.ok(at(0.2, 0.82) > 0.95);
  const steps = Array.from({ length: 20 }, (_, k) => at(0.2, 0.66 + 0.008 * k));
  const largest = Math.max(...steps.slice(1).map((value, k) => value - steps[k]!));
  assert.ok(largest < 0.6, `${largest}`);
});
