import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enlargeSquare, halvePlane, shrinkSquare } from './plane-scale.ts';

test('halving takes the mean of 2 x 2', () => {
  assert.deepEqual([...halvePlane(Float32Array.of(1, 3, 5, 7, 5, 7, 1, 3), 4, 2)], [4, 4]);
});

test('shrinking keeps the mean, and by nothing is a copy', () => {
  const plane = Float32Array.from({ length: 64 }, (_, i) => i);
  assert.deepEqual([...shrinkSquare(plane, 8, 1)], [31.5]);
  const copy = shrinkSquare(plane, 8, 8);
  assert.deepEqual(copy, plane);
  assert.notEqual(copy, plane);
});

for (const factor of [1, 2, 4, 8]) {
  test(`enlarging by ${factor} is bilinear between aligned centres and flat outside them`, () => {
    const from = 5;
    const plane = Float32Array.from({ length: from * from }, (_, i) => ((i * 37) % 11) - 3);
    const out = enlargeSquare(plane, from, factor);
    const clamp = (v: number): number => Math.max(0, Math.min(from - 1, v));
    for (let y = 0; y < from * factor; y++) {
      for (let x = 0; x < from * factor; x++) {
        const u = clamp((x + 0.5) / factor - 0.5);
        const v = clamp((y + 0.5) / factor - 0.5);
        const l = Math.floor(u);
        const t = Math.floor(v);
        const at = (i: number, j: number): number => plane[clamp(j) * from + clamp(i)]!;
        const upper = at(l, t) + (at(l + 1, t) - at(l, t)) * (u - l);
        const lower = at(l, t + 1) + (at(l + 1, t + 1) - at(l, t + 1)) * (u - l);
        assert.ok(Math.abs(out[y * from * factor + x]! - (upper + (lower - upper) * (v - t))) < 1e-4);
      }
    }
  });
}
