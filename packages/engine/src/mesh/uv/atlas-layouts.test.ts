import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from './atlas-layouts.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);

/**
 * Counts the rows of the middle column from the oval's edge to a nearly opaque face, starting the
 * search at row `from`.
 */
function fade(from: number, step: number): number {
  const x = SIDE / 2;
  let first = from;
  while (layout.oval[first * SIDE + x] === 0) first += step;
  let rows = 0;
  while (layout.opacity[(first + rows * step) * SIDE + x]! < 0.95) rows++;
  return rows;
}

test('on the forehead, where the skin goes on above, a face fades in over more than twice the width of the chin', () => {
  const forehead = fade(0, 1);
  const chin = fade(SIDE - 1, -1);
  assert.ok(forehead > 2 * chin, `${forehead} rows, ${chin} at the chin`);
  for (let y = 1, before = 0; y < SIDE / 2; y++) {
    const now = layout.opacity[y * SIDE + SIDE / 2]!;
    assert.ok(now >= before - 1e-3 && now - before < 0.15, `row ${y}: ${before} to ${now}`);
    before = now;
  }
});

/** Returns the value of a mask at a vertex of the mesh. */
function at(mask: Float32Array, vertex: number): number {
  const [x, y] = [layout.points[2 * vertex]!, layout.points[2 * vertex + 1]!].map(Math.floor);
  return mask[y! * SIDE + x!]!;
}

test("the nose's tip, wings and columella are skin, its two holes are features", () => {
  for (const vertex of [1, 4, 19, 94, 2, 48, 278, 64, 294, 115, 344])
    assert.equal(at(layout.features, vertex), 0, `vertex ${vertex}`);
  for (const vertex of [79, 309, 238, 458]) {
    assert.ok(at(layout.features, vertex) > 0.9, `vertex ${vertex}`);
    assert.ok(at(layout.nostrils, vertex) > 0.9, `vertex ${vertex}`);
  }
});

test('brows are drawn in full', () => {
  for (const [i, brow] of layout.brows.entries())
    if (brow > 0) assert.ok(layout.opacity[i]! > 0.97, `${layout.opacity[i]}`);
});

test('planes that were let go are made again as they were', () => {
  const before = [layout.holes, layout.core, layout.lids, layout.hairZone];
  layout.dropSeldomMasks();
  const after = [layout.holes, layout.core, layout.lids, layout.hairZone];
  for (const [k, plane] of after.entries()) {
    assert.notEqual(plane, before[k]);
    assert.ok(Buffer.from(plane.buffer).equals(Buffer.from(before[k]!.buffer)));
  }
});
