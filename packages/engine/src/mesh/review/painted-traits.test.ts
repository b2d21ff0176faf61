import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { hasFullBeard } from './full-beard.ts';
import { resolvedPixels } from './resolved-pixels.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const coarse = layouts(COARSE_SIDE);
const SKIN = [170, -12, 16] as const;
const HAIR = [60, -2, 4] as const;

const faceWithHair = (isHair: (u: number, v: number) => boolean): Atlas =>
  paintedAtlas(COARSE_SIDE, (u, v) => (isHair(u, v) ? HAIR : SKIN));

const isChin = (u: number, v: number): boolean => v > 0.75 && Math.abs(u - 0.5) < 0.3;
const isLip = (u: number, v: number): boolean => v > 0.59 && v < 0.67 && Math.abs(u - 0.5) < 0.1;

test('a beard is on chin and upper lip: neither a moustache nor a dark chin is one', () => {
  assert.equal(
    hasFullBeard(
      faceWithHair((u, v) => isChin(u, v) || isLip(u, v)),
      coarse,
      ordinaryPlanes,
    ),
    true,
  );
  assert.equal(hasFullBeard(faceWithHair(isLip), coarse, ordinaryPlanes), false);
  assert.equal(hasFullBeard(faceWithHair(isChin), coarse, ordinaryPlanes), false);
  assert.equal(
    hasFullBeard(
      faceWithHair(() => false),
      coarse,
      ordinaryPlanes,
    ),
    false,
  );
});

test('a shadow over one half of the lower face is no beard', () => {
  const shaded = paintedAtlas(COARSE_SIDE, (u, v) => (v > 0.55 && u > 0.5 ? HAIR : SKIN));
  assert.equal(hasFullBeard(shaded, coarse, ordinaryPlanes), false);
});

test('a bearded half is enough if the other one is turned away', () => {
  const turned = paintedAtlas(COARSE_SIDE, (u, v) => (isChin(u, v) || isLip(u, v) ? HAIR : SKIN));
  for (let i = 0; i < turned.facing.length; i++) if (i % COARSE_SIDE < COARSE_SIDE / 2) turned.facing[i] = 0;
  assert.equal(hasFullBeard(turned, coarse, ordinaryPlanes), true);
});

test('a blurred face shows fewer pixels, and the more it is blurred the fewer', () => {
  const layout = layouts(512);
  // Hard edges, as those of brows and lids.
  const sharp = paintedAtlas(512, (_u, _v, i) => [i % 64 < 32 ? 90 : 190, 0, 0]);
  const resolved = [0, 1, 2, 4].map((radius) => {
    const luma = sharp.luma.slice();
    if (radius > 0) boxBlur(luma, 512, 512, radius, 2);
    return resolvedPixels({ ...sharp, luma }, layout);
  });
  for (let k = 1; k < resolved.length; k++) assert.ok(resolved[k]! < resolved[k - 1]!, resolved.join(' '));
});
