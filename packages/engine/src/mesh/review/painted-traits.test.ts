import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { resolvedPixels } from './resolved-pixels.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
test('a blurred face shows fewer pixels, and the more it is blurred the fewer', () => {
  const layout = layouts(512);
  // The edges are hard, as those of brows and lids are.
  const sharp = paintedAtlas(512, (_u, _v, i) => [i % 64 < 32 ? 90 : 190, 0, 0]);
  const resolved = [0, 1, 2, 4].map((radius) => {
    const luma = sharp.luma.slice();
    if (radius > 0) boxBlur(luma, 512, 512, radius, 2);
    return resolvedPixels({ ...sharp, luma }, layout);
  });
  for (let k = 1; k < resolved.length; k++) assert.ok(resolved[k]! < resolved[k - 1]!, resolved.join(' '));
});
