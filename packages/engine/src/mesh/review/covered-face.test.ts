import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { isFaceCovered } from './covered-face.ts';

const canonical = await loadCanonicalFace();
const coarse = createAtlasLayouts(canonical)(COARSE_SIDE);
const landmarks = inImageAxes(canonical.vertices).map((value) => value * 20 + 300);

test('a mask covers a face, and a bare face without hands is covered by nothing', () => {
  using space = new Workspace();
  const masked = paintedAtlas(COARSE_SIDE, (_u, v) => (v > 0.45 ? [210, 4, -3] : [170, -12, 22]));
  const bare = paintedAtlas(COARSE_SIDE, () => [170, -12, 22]);
  assert.equal(isFaceCovered(masked, coarse, landmarks, [], space), true);
  assert.equal(isFaceCovered(bare, coarse, landmarks, [], space), false);
});
