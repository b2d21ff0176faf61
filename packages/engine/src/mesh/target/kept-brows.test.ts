import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { decideBrows } from './kept-brows.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const isBrow = (i: number): boolean => layout.brows[i]! > 0.5;

type Cover = (texel: number) => number;

/** First row of features in each column, the brow's upper edge, and the last of the brow. */
const edges = Array.from({ length: COARSE_SIDE }, (_, x) => {
  const rows = Array.from({ length: COARSE_SIDE }, (__, y) => y).filter((y) => {
    const i = y * COARSE_SIDE + x;
    return layout.features[i]! >= 0.5 && layout.browArea[i]! > 0.5;
  });
  return { top: rows[0] ?? COARSE_SIDE, bottom: rows.at(-1) ?? 0 };
});
const row = (i: number): number => Math.floor(i / COARSE_SIDE);
const isAbove = (i: number): boolean => row(i) < edges[i % COARSE_SIDE]!.top;
const isBelow = (i: number): boolean => row(i) > edges[i % COARSE_SIDE]!.bottom;

/** What is decided of the right brow's texels, in the atlas's left half, where this is in front. */
function decided(cover: Cover, glasses: Cover | null = null): number[] {
  const planeOf = (value: Cover): Float32Array => layout.oval.map((_, i) => value(i));
  const reached = planeOf(cover);
  decideBrows(reached, layout, glasses && planeOf(glasses));
  return Array.from(reached).filter((_, i) => isBrow(i) && i % COARSE_SIDE < COARSE_SIDE / 2);
}

const shareOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('a brow below a fringe is bare, though the fringe seems to reach into it', () => {
  for (const reach of [0.1, 0.3, 0.45])
    assert.equal(shareOf(decided((i) => (isAbove(i) ? 1 : isBelow(i) ? 0 : reach))), 0);
});

test('a brow with hair above and below is behind it as a whole', () => {
  assert.equal(shareOf(decided((i) => (isAbove(i) || isBelow(i) ? 1 : 0.4))), 1);
});

test('a brow between a fringe and the rim of glasses is behind the fringe', () => {
  const values = decided(
    (i) => (isAbove(i) ? 1 : isBelow(i) ? 0 : 0.4),
    (i) => (isBelow(i) ? 1 : 0),
  );
  assert.equal(shareOf(values), 1);
});

test('a lock covers what it hangs over, and no texel of a brow by half', () => {
  const values = decided((i) => {
    const u = (i % COARSE_SIDE) / COARSE_SIDE;
    return u > 0.25 && u < 0.32 ? 1 : u < 0.35 ? 0.45 : 0.3;
  });
  assert.ok(values.every((value) => value === 0 || value === 1));
  assert.ok(shareOf(values) > 0.2 && shareOf(values) < 0.8, `${shareOf(values)}`);
});
