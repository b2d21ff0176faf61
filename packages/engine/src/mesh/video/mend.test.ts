import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { Light } from '../skin/light.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import { NETWORK_SIDE } from '../uv/network-window.ts';
import { TrackMend } from './mend.ts';

const SIDE = 512;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
/** A texel of the middle of the face. */
const MIDDLE = (SIDE / 2) * SIDE + SIDE / 2;
const face = paintedAtlas(SIDE, () => [100, -10, 15]);

function even(side: number, value: number): Float32Array {
  return new Float32Array(side * side).fill(value);
}

function lightOf(luma: number): Light {
  return { luma: even(COARSE_SIDE, luma), blue: even(COARSE_SIDE, -10), red: even(COARSE_SIDE, 15) };
}

function faultsOf(luma: number, red: number): AtlasColours {
  const [none, ...planes] = [0, luma, red].map((value) => even(NETWORK_SIDE, value));
  return { side: NETWORK_SIDE, luma: planes[0]!, blue: none!, red: planes[1]! };
}

test('a face gets the corrections of its first study at once, and approaches those of later ones', () => {
  const mend = new TrackMend(lightOf(100), 1);
  assert.equal(mend.isDue, false);
  mend.take(faultsOf(10, 4), lightOf(100), true);
  assert.equal(mend.isDue, true);
  const first = mend.mend(face, layout, ordinaryPlanes);
  assert.equal(mend.isDue, false);
  assert.ok(Math.abs(first.luma[MIDDLE]! - 110) < 0.01 && Math.abs(first.red[MIDDLE]! - 19) < 0.01);
  assert.equal(face.luma[MIDDLE], 100);
  mend.take(faultsOf(0, 0), lightOf(100), false);
  const second = mend.mend(face, layout, ordinaryPlanes).luma[MIDDLE]!;
  assert.ok(second > 102 && second < 109, `${second}`);
});

test('a correction that is seen in brighter light is smaller in the light of the source', () => {
  const mend = new TrackMend(lightOf(50), 0.5);
  mend.take(faultsOf(20, 4), lightOf(104), true);
  const { luma, red } = mend.mend(face, layout, ordinaryPlanes);
  // Half of 20, in half of the light.
  assert.ok(Math.abs(luma[MIDDLE]! - 105) < 0.01, `${luma[MIDDLE]}`);
  assert.ok(Math.abs(red[MIDDLE]! - 17) < 0.01);
});
