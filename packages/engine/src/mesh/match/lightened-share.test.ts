import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { Light } from '../skin/light.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { lightenedShare } from './lightened-share.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

function plane(value: number): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
}

function lightOf(luma: number): Light {
  return { luma: plane(luma), blue: plane(-12), red: plane(18) };
}

function sourceOf(luma: number, gloss = 0): { light: Light; gloss: number } {
  return { light: lightOf(luma), gloss };
}

test('a face is lightened where its target is far lighter, and only then', () => {
  assert.equal(lightenedShare(sourceOf(100), lightOf(200), layout), 1);
  assert.equal(lightenedShare(sourceOf(160), lightOf(190), layout), 0);
  assert.equal(lightenedShare(sourceOf(200), lightOf(100), layout), 0);
  const between = lightenedShare(sourceOf(100), lightOf(147), layout);
  assert.ok(between > 0.2 && between < 0.8, `${between}`);
});

test('what a glossy source shows belongs on no other face, however light that is', () => {
  assert.equal(lightenedShare(sourceOf(160, 0.8), lightOf(100), layout), 0.8);
  assert.equal(lightenedShare(sourceOf(100, 0.8), lightOf(200), layout), 1);
});

test('a light on hair beside the face does not make the face lighter', () => {
  const lit = lightOf(100);
  for (let i = 0; i < lit.luma.length; i++) if (i % COARSE_SIDE < 24) lit.luma[i] = 255;
  assert.equal(lightenedShare(sourceOf(100), lit, layout), 0);
});
