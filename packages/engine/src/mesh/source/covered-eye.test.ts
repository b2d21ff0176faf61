import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { CoveredEye } from './covered-eye.ts';
import { findCoveredEye } from './covered-eye.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);

/** What is found where bare skin is foreign at (u, v), 0..1. */
function found(foreign: (u: number, v: number) => boolean): CoveredEye | null {
  const plane = layout.oval.map((inside, i) => {
    const isForeign = foreign(((i % SIDE) + 0.5) / SIDE, (Math.floor(i / SIDE) + 0.5) / SIDE);
    return isForeign ? inside * (1 - layout.features[i]!) : 0;
  });
  return findCoveredEye(plane, layout, ordinaryPlanes);
}

/** Mean of the area over the eye itself, on the left and right half of the atlas. */
function overEyes({ area }: CoveredEye): [number, number] {
  const sums = [0, 0];
  let count = 0;
  for (let i = 0; i < area.length; i++) {
    if (layout.softEyes[i]! < 0.9) continue;
    sums[i % SIDE < SIDE / 2 ? 0 : 1]! += area[i]!;
    count += 0.5;
  }
  return [sums[0]! / count, sums[1]! / count];
}

test('an eye under hair that falls over its brow is given up as a whole, the other not', () => {
  const covered = found((u, v) => u > 0.56 && v < 0.55);
  assert.ok(covered?.eye === 1 && covered.isWhole);
  const [right, left] = overEyes(covered);
  assert.equal(right, 0);
  assert.ok(left > 0.95, `${left}`);
});

test('hair over the brow and the corner of an eye takes the lids there, not the eye', () => {
  const covered = found((u, v) => u < 0.43 - 1.1 * (v - 0.25) && v < 0.45);
  assert.ok(covered?.eye === 0 && !covered.isWhole);
  const corner = Math.floor(0.36 * SIDE) * SIDE + Math.floor(0.275 * SIDE);
  assert.ok(covered.area[corner]! > 0.5, `${covered.area[corner]}`);
  assert.ok(overEyes(covered)[0] < 0.1, `${overEyes(covered)}`);
});

test('a shade beside an eye that leaves its brow free, bangs above both, and what lies over both cover none', () => {
  assert.equal(
    found((u, v) => u < 0.45 && v > 0.37 && v < 0.6),
    null,
  );
  assert.equal(
    found((_, v) => v < 0.26),
    null,
  );
  assert.equal(
    found((_, v) => v < 0.55),
    null,
  );
});
