import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { TargetFace } from '../target/target-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shadeLifts } from './shade-bounds.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const SKIN_LUMA = 200;
/** Middle of the forehead, texels: bare skin far from any feature. */
const PATCH = { x: 64, y: 24, radius: 4 };

/** Paints a face of one luma with a patch on its forehead. */
function faceOf(patch: number): Atlas {
  const luma = plane(SKIN_LUMA);
  for (let y = -PATCH.radius; y <= PATCH.radius; y++)
    for (let x = -PATCH.radius; x <= PATCH.radius; x++)
      luma[(PATCH.y + y) * COARSE_SIDE + PATCH.x + x] = patch;
  return { side: COARSE_SIDE, luma, blue: plane(-12), red: plane(18), facing: plane(1) };
}

function plane(value: number): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
}

function liftsOf(own: number, targets: number, share = 1): Float32Array {
  const target = { small: faceOf(targets), skin: plane(1) } as unknown as TargetFace;
  const light = { luma: plane(SKIN_LUMA), blue: plane(-12), red: plane(18) };
  return shadeLifts(faceOf(own), target, light, share, layout, ordinaryPlanes);
}

const inPatch = (lifts: Float32Array): number => lifts[PATCH.y * COARSE_SIDE + PATCH.x]!;

test('a shade that the target does not have is lifted nearly to its light', () => {
  const lift = inPatch(liftsOf(160, SKIN_LUMA));
  assert.ok(lift > 0.15 && lift < 0.2, `${lift}`);
  assert.ok(
    Math.abs(inPatch(liftsOf(160, SKIN_LUMA, 0.5)) - lift / 2) < 1e-6,
    'half of it at half the share',
  );
});

test('a shine that the target does not have is lowered', () => {
  const lift = inPatch(liftsOf(240, SKIN_LUMA));
  assert.ok(lift < -0.15 && lift > -0.2, `${lift}`);
});

test('what the target shows as well stays as it is', () => {
  assert.equal(inPatch(liftsOf(160, 150)), 0);
  assert.equal(inPatch(liftsOf(240, 250)), 0);
});

test('plain skin beside a patch stays as it is', () => {
  const lifts = liftsOf(160, SKIN_LUMA);
  assert.ok(Math.abs(lifts[PATCH.y * COARSE_SIDE + PATCH.x + 14]!) < 1e-4);
});
