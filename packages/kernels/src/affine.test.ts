import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Affine, applyAffine, chainAffine, fitSimilarity, invertAffine } from './affine.ts';

function assertClose(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]!) < 1e-9, `${actual} is not ${expected}`),
  );
}

test('the inverse undoes a map', () => {
  const map: Affine = [1.5, -0.2, 7, 0.4, 0.9, -3];
  assertClose(applyAffine(invertAffine(map), ...applyAffine(map, 12, 34)), [12, 34]);
});

test('a chain is the inner map, then the outer', () => {
  const outer: Affine = [1.5, -0.2, 7, 0.4, 0.9, -3];
  const inner: Affine = [0.6, -0.8, 5, 0.8, 0.6, -2];
  assertClose(
    applyAffine(chainAffine(outer, inner), 12, 34),
    applyAffine(outer, ...applyAffine(inner, 12, 34)),
  );
});

test('a similarity is recovered from points it moved', () => {
  const map: Affine = [0.6, -0.8, 5, 0.8, 0.6, -2];
  const from = [0, 0, 10, 1, 3, 8, -4, 6];
  const to: number[] = [];
  for (let i = 0; i < from.length; i += 2) to.push(...applyAffine(map, from[i]!, from[i + 1]!));
  assertClose(fitSimilarity(from, to), map);
});

test('a fit of points that no similarity takes to each other has the least error nearby', () => {
  const from = [0, 0, 4, 0, 4, 2, 0, 2];
  const to = [1, 1, 5, 2, 4, 4, 0, 2];
  const error = (map: readonly number[]): number => {
    let sum = 0;
    for (let i = 0; i < from.length; i += 2) {
      const [x, y] = applyAffine(map as unknown as Affine, from[i]!, from[i + 1]!);
      sum += (x - to[i]!) ** 2 + (y - to[i + 1]!) ** 2;
    }
    return sum;
  };
  const best = fitSimilarity(from, to);
  for (const [da, dd, dx, dy] of [
    [0.01, 0, 0, 0],
    [0, 0.01, 0, 0],
    [0, 0, 0.01, 0],
    [0, 0, 0, 0.01],
  ] as const) {
    for (const sign of [1, -1]) {
      const [a, , c, d, , f] = best;
      const a2 = a + sign * da;
      const d2 = d + sign * dd;
      assert.ok(error([a2, -d2, c + sign * dx, d2, a2, f + sign * dy]) >= error(best));
    }
  }
});
