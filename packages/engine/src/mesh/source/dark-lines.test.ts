import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { darkLines } from './dark-lines.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const row = Math.floor(0.5 * COARSE_SIDE) * COARSE_SIDE;
const RIGHT_CHEEK = row + Math.floor(0.3 * COARSE_SIDE);
const LEFT_CHEEK = row + Math.floor(0.7 * COARSE_SIDE);
/** Lines of two texels, six apart. */
const striped = (u: number): number => (Math.floor(u * COARSE_SIDE) % 6 < 2 ? 135 : 150);

/** Lines found in a face of this luma at (u, v). */
function found(luma: (u: number, v: number) => number): Float32Array {
  return darkLines(
    paintedAtlas(COARSE_SIDE, (u, v) => [luma(u, v), -15, 22]),
    layout,
  );
}

test('strands over one cheek are found there alone', () => {
  const lines = found((u) => (u > 0.2 && u < 0.42 ? striped(u) : 150));
  assert.ok(lines[RIGHT_CHEEK]! > 0.9, `${lines[RIGHT_CHEEK]}`);
  assert.ok(lines[LEFT_CHEEK]! < 0.05, `${lines[LEFT_CHEEK]}`);
});

test("lines that both cheeks have and a shadow's edge are none", () => {
  const wrinkled = found((u) => striped(Math.abs(u - 0.5)));
  const shaded = found((u) => (u < 0.3 ? 60 : 150));
  for (const lines of [wrinkled, shaded]) assert.ok(Math.max(lines[RIGHT_CHEEK]!, lines[LEFT_CHEEK]!) < 0.05);
});
