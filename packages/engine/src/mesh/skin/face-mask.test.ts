import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { FaceMask } from './face-mask.ts';
import { findMask } from './face-mask.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
type Colour = readonly [luma: number, blue: number, red: number];
const SKINS: readonly Colour[] = [
  [170, -14, 20],
  [70, -8, 13],
];
const MASKS: readonly Colour[] = [
  [205, 10, -12],
  [235, 0, 0],
  [32, 1, 0],
];
const TOP = 0.5;

function found(paint: (u: number, v: number) => Colour): FaceMask | null {
  return findMask(paintedAtlas(COARSE_SIDE, paint), layout, ordinaryPlanes);
}

const cell = (u: number, v: number): number =>
  Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE);

test('blue, white and black masks are found on light and dark skin, from their upper edge down', () => {
  for (const skin of SKINS) {
    for (const cloth of MASKS) {
      // A fold is as red as skin, and inside the mask all the same.
      const mask = found((u, v) => (v < TOP || Math.hypot(u - 0.5, v - 0.66) < 0.02 ? skin : cloth));
      assert.ok(mask, `${cloth} on ${skin}`);
      for (const [u, v] of [
        [0.5, 0.6],
        [0.5, 0.66],
        [0.35, 0.6],
        [0.5, 0.85],
      ] as const)
        assert.equal(mask.covered[cell(u, v)], 1, `${u}, ${v}`);
      for (const v of [0.2, 0.3, 0.4]) assert.equal(mask.covered[cell(0.5, v)], 0);
      assert.ok(mask.bare[cell(0.5, 0.3)]! > 0.5 && mask.bare[cell(0.5, 0.6)] === 0);
    }
  }
});

test('what shows lips, a nose or cheeks is no mask: beards, paint on the nose, black-and-white', () => {
  for (const skin of SKINS) {
    const beard: Colour = [40, 0, 1];
    assert.equal(
      found(() => skin),
      null,
    );
    assert.equal(
      found((_u, v) => (v < 0.6 ? skin : beard)),
      null,
      'beard',
    );
    assert.equal(
      found((u, v) => (Math.hypot(u - 0.5, v - 0.5) < 0.08 ? [240, 0, 0] : skin)),
      null,
      'nose',
    );
    const lips = (u: number, v: number): boolean => Math.abs(u - 0.5) < 0.1 && Math.abs(v - 0.7) < 0.05;
    assert.equal(
      found((u, v) => (v < TOP || lips(u, v) ? skin : MASKS[0]!)),
      null,
      'lips seen',
    );
  }
  assert.equal(
    found((_u, v) => [v < TOP ? 150 : 220, 0, 0]),
    null,
    'without colours',
  );
});
