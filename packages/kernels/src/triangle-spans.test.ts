import assert from 'node:assert/strict';
import { test } from 'node:test';
import { triangleSpans } from './triangle-spans.ts';

function counts(points: number[], triangles: number[], width: number, height: number): Uint8Array {
  const spans = triangleSpans(points, triangles, width, height);
  const seen = new Uint8Array(width * height);
  for (let run = 0; run < spans.row.length; run++) {
    for (let x = spans.left[run]!; x < spans.right[run]!; x++) seen[spans.row[run]! * width + x]! += 1;
  }
  return seen;
}

test('a fan of triangles covers every pixel of its outline exactly once: no gap, no overlap', () => {
  // Odd coordinates, edges through pixel centres, both orientations.
  const ring = [
    [3.5, 2.5],
    [20.1, 1.2],
    [33.7, 9.5],
    [30.5, 27.5],
    [14.5, 30.9],
    [2.2, 19.5],
  ];
  const points = [17.5, 15.5, ...ring.flat()];
  const triangles: number[] = [];
  for (let k = 0; k < ring.length; k++) {
    const next = 1 + ((k + 1) % ring.length);
    triangles.push(...(k % 2 ? [0, 1 + k, next] : [next, 0, 1 + k]));
  }
  const seen = counts(points, triangles, 40, 36);
  let covered = 0;
  for (const count of seen) {
    assert.ok(count <= 1);
    covered += count;
  }
  const area = Math.abs(
    ring.reduce((sum, [x, y], k) => {
      const [u, v] = ring[(k + 1) % ring.length]!;
      return sum + (x! * v! - u! * y!) / 2;
    }, 0),
  );
  assert.ok(Math.abs(covered - area) < 12, `${covered} pixels of ${area}`);
  assert.equal(seen[15 * 40 + 17], 1, 'the shared corner, a pixel centre, is covered');
});

test('a pixel belongs to a triangle when its centre lies inside', () => {
  const seen = counts([1, 1, 5, 1, 1, 5], [0, 1, 2], 6, 6);
  const rows = Array.from({ length: 6 }, (_, y) => seen.subarray(y * 6, y * 6 + 6).join(''));
  assert.deepEqual(rows, ['000000', '011100', '011000', '010000', '000000', '000000']);
});

test('what lies outside the image is cut off', () => {
  const seen = counts([-10, -10, 50, -10, -10, 50], [0, 1, 2], 4, 4);
  assert.equal(
    seen.reduce((a, b) => a + b, 0),
    16,
  );
});

test('a triangle without area covers nothing', () => {
  assert.equal(
    counts([1, 1, 3, 3, 5, 5], [0, 1, 2], 8, 8).reduce((a, b) => a + b, 0),
    0,
  );
});
