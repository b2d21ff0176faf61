import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { bareSkin } from '../match/pores.ts';
import { roughness, seenSkin } from '../skin/roughness.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { tooRoughShare, TrackRoughSkin } from './rough-skin.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);

/** Paints skin with spots of so many levels, 8 texels apart. */
function spottedSkin(levels: number): Atlas {
  const wave = (share: number): number => Math.sin((share * SIDE * Math.PI) / 4);
  return paintedAtlas(SIDE, (u, v) => {
    const spot = levels * wave(u) * wave(v);
    return [160 + spot, -10, 15 + spot];
  });
}

function roughnessOf({ luma, facing }: Pick<Atlas, 'luma' | 'facing'>): number {
  const texels = seenSkin(facing, new Float32Array(SIDE * SIDE), layout);
  assert.ok(texels);
  return roughness(luma, texels, SIDE);
}

test('skin as rough as the target keeps all of it, skin four times as rough keeps a fifth', () => {
  assert.equal(tooRoughShare(3, 2.5), 0);
  assert.equal(tooRoughShare(8, 2), 0.8);
  const between = tooRoughShare(4, 2);
  assert.ok(between > 0.3 && between < 0.6, `${between}`);
  assert.equal(tooRoughShare(1, 0), 0);
});

test('rough skin loses its spots, what is no bare skin keeps them', () => {
  const source = spottedSkin(12);
  const before = source.luma.slice();
  const skin = new TrackRoughSkin();
  assert.ok(!skin.isDue);
  skin.take(0.8, true);
  assert.ok(skin.isDue);
  const smooth = skin.smooth(source, layout, ordinaryPlanes);
  assert.ok(!skin.isDue);
  assert.ok(roughnessOf(smooth) < 0.35 * roughnessOf(source));
  assert.deepEqual(source.luma, before);
  const bare = bareSkin(layout);
  for (let i = 0; i < bare.length; i++) {
    if (bare[i] !== 0) continue;
    assert.equal(smooth.luma[i], source.luma[i]);
    assert.equal(smooth.red[i], source.red[i]);
  }
});

test('a share is followed, and one that hardly changes makes no new texture', () => {
  const source = spottedSkin(12);
  const skin = new TrackRoughSkin();
  assert.equal(skin.smooth(source, layout, ordinaryPlanes), source);
  skin.take(0.5, true);
  skin.smooth(source, layout, ordinaryPlanes);
  skin.take(0.6, false);
  assert.ok(!skin.isDue);
  skin.take(0, false);
  assert.ok(skin.isDue);
});
