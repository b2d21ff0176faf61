import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { liftVeil, takeVeil, veilOf } from './veil.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const COUNT = COARSE_SIDE * COARSE_SIDE;
const skin = layout.core;

/**
 * Paints skin of luma 150 with brows and lids of 60 and some lashes of 20 behind a veil, with only
 * `share` of their contrast.
 */
function behind(veil: number, share: number, lashes = 20): Atlas {
  const luma = new Float32Array(COUNT);
  let features = 0;
  for (let i = 0; i < COUNT; i++) {
    const isFeature = layout.features[i]! >= 0.5;
    if (isFeature) features += 1;
    const clear = !isFeature ? 150 : features % 20 === 0 ? lashes : 60;
    luma[i] = veil + share * clear;
  }
  const plain = new Float32Array(COUNT);
  return { side: COARSE_SIDE, luma, blue: plain, red: plain, facing: plain };
}

const faceBehind = (veil: number, share: number, lashes = 20): number =>
  veilOf(behind(veil, share, lashes), skin, layout).luma;

test('a clear face has no veil, be it bright or dim', () => {
  assert.equal(faceBehind(0, 1), 0);
  assert.equal(faceBehind(0, 1.5), 0);
  assert.equal(faceBehind(0, 0.3), 0);
  assert.equal(faceBehind(0, 1, 50), 0);
});

test('the veil over a hazy face is found, so that black stays no darker than the darkest there', () => {
  const veil = faceBehind(80, 0.45);
  // 80 + 0.45 * 20 is the darkest.
  assert.ok(veil > 45 && veil < 89, `${veil}`);
  assert.ok(faceBehind(60, 0.6) < veil && faceBehind(100, 0.3) > veil);
});

test('a face without anything dark is veiled by at most half of its light', () => {
  assert.ok(Math.abs(faceBehind(150, 0) - 75) < 1);
});

test('a face whose veil is lifted is as bright, and as clear as any', () => {
  const hazy = behind(80, 0.45);
  const veil = veilOf(hazy, skin, layout);
  liftVeil(hazy, veil);
  const bare = skin.findIndex((value) => value === 1);
  assert.ok(Math.abs(hazy.luma[bare]! - (80 + 0.45 * 150)) < 1, `${hazy.luma[bare]}`);
  assert.ok(veil.gain > 1.4 && veil.gain < 2);
  assert.ok(veilOf(hazy, skin, layout).luma < 2);
});

test('without its veil, no place is darker than black', () => {
  const luma = Float32Array.of(20, 50, 90);
  takeVeil(luma, 50);
  assert.deepEqual([...luma], [0, 0, 40]);
});
