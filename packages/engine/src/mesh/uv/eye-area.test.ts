import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from './atlas-layout.ts';
import { createAtlasLayouts } from './atlas-layouts.ts';
import { eyeArea } from './eye-area.ts';
import { EYES } from './face-regions.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

const kept = (): Float32Array => eyeArea(layout);

/** Returns the texel of a vertex. */
const at = (vertex: number): number =>
  Math.floor(layout.points[2 * vertex + 1]!) * COARSE_SIDE + Math.floor(layout.points[2 * vertex]!);

test('both eyes stay whole, lids and lashes with them', () => {
  const plane = kept();
  for (const { ring } of EYES)
    for (const vertex of ring) assert.ok(plane[at(vertex)]! > 0.9, `${vertex}: ${plane[at(vertex)]}`);
});

test('no brow, cheek, nose or mouth stays', () => {
  const plane = kept();
  for (const vertex of [105, 334, 50, 280, 4, 13]) assert.ok(plane[at(vertex)]! < 0.05, `${vertex}`);
});

test('the edge of what stays is soft', () => {
  const plane = kept();
  for (let i = 1; i < plane.length; i++)
    if (layout.browsSoft[i] === 0 && layout.browsSoft[i - 1] === 0)
      assert.ok(Math.abs(plane[i]! - plane[i - 1]!) < 0.5, `a step at ${i}`);
});
