import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { isFaceCovered } from './covered-face.ts';

const coarse = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const face = paintedAtlas(COARSE_SIDE, () => [170, -12, 22]);

test('a mask covers a face; a touched chin and glasses do not', () => {
  using space = new Workspace();
  const isCovered = (front: ReturnType<typeof paintedFront>): boolean =>
    isFaceCovered(face, coarse, front, space);
  assert.equal(isCovered(paintedFront((_u, v) => ({ thing: v > 0.5 ? 1 : 0 }))), true);
  assert.equal(isCovered(paintedFront((_u, v) => ({ thing: v > 0.93 ? 1 : 0 }))), false);
  assert.equal(isCovered(paintedFront((_u, v) => ({ lens: v > 0.3 && v < 0.45 ? 1 : 0 }))), false);
});
