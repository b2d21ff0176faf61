import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { areBrowsBehindRims } from './brows-behind-rims.ts';

const SKIN_LUMA = 150;
const layouts = createAtlasLayouts(await loadCanonicalFace());

/** A face whose brows have this share of the skin's luma. */
function areHidden(share: number): boolean {
  const layout = layouts(COARSE_SIDE);
  const atlas = paintedAtlas(COARSE_SIDE, (_u, _v, i) => [
    SKIN_LUMA * (1 - (1 - share) * layout.browsSoft[i]!),
    -15,
    22,
  ]);
  return areBrowsBehindRims(atlas, layout, fitSkin(atlas, beardlessCore(layout)));
}

test('brows that are nearly black have a rim over them, dark hair lets skin through', () => {
  assert.equal(areHidden(0.05), true);
  assert.equal(areHidden(0.5), false);
});
