import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { PictureOfFace } from './restore.ts';
import { applyMatch, measureTexture, textureMatch, UNMATCHED } from './restore.ts';

const SIDE = 128;
/** A large face in which each pixel is as wide as a texel. */
const PIXEL_A_TEXEL: PictureOfFace = { pixelTexels: 1, mostGrain: Infinity };

const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const facing = new Float32Array(SIDE * SIDE).fill(1);

/** Paints skin with darker brows, eyes and lips, and nothing outside the face. */
function face(blurRadius: number): Float32Array {
  const luma = Float32Array.from(layout.oval, (_, i) => {
    const x = i % SIDE;
    const y = Math.floor(i / SIDE);
    const hair = (x * 7 + y * 3) % 5 < 2 ? 50 : 0;
    return 150 - (layout.brows[i]! + layout.holes[i]!) * (40 + hair);
  });
  boxBlur(luma, SIDE, SIDE, blurRadius, 2);
  return luma.map((value, i) => (layout.oval[i]! > 0 ? value : 0));
}

function matched(luma: Float32Array, wanted: Float32Array, visibility: number): Float32Array {
  const own = measureTexture(luma, facing, layout);
  const match = textureMatch(own, measureTexture(wanted, facing, layout), visibility, PIXEL_A_TEXEL);
  const result = luma.slice();
  applyMatch(result, own.bands, layout, match);
  return result;
}

/** Returns the mean difference on the features. */
function apart(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < a.length; i++) {
    if (layout.features[i]! < 0.5) continue;
    sum += Math.abs(a[i]! - b[i]!);
    count += 1;
  }
  return sum / count;
}

test('a sharp face on a soft target becomes as soft as the target, brows and eyes too', () => {
  const soft = face(3);
  const result = matched(face(0), soft, 1);
  assert.ok(apart(result, soft) < 0.5 * apart(face(0), soft), `${apart(result, soft)}`);
  const { blur } = measureTexture(soft, facing, layout);
  assert.ok(blur > measureTexture(face(0), facing, layout).blur + 4, `${blur}`);
});

test('a softer target softens more', () => {
  const own = measureTexture(face(0), facing, layout);
  const broad = [1, 2, 3].map(
    (radius) => textureMatch(own, measureTexture(face(radius), facing, layout), 1, PIXEL_A_TEXEL).broad,
  );
  assert.ok(broad[0]! > broad[1]! && broad[1]! > broad[2]!, `${broad.join(' ')}`);
});

test('a face that drawing makes as soft as the target stays as it is', () => {
  const own = { sharpness: 0.853, blur: 0.5, grain: 0 };
  const match = textureMatch(own, { sharpness: 0.64, blur: 1.05, grain: 0 }, 1, PIXEL_A_TEXEL);
  for (const band of ['fine', 'medium', 'broad'] as const)
    assert.ok(Math.abs(match[band] - 1) < 0.01, `${band} ${match[band]}`);
});

test('a face softer than the target is sharpened, most in its finest band', () => {
  const own = measureTexture(face(1), facing, layout);
  const { fine, medium, broad } = textureMatch(
    own,
    measureTexture(face(0), facing, layout),
    1,
    PIXEL_A_TEXEL,
  );
  assert.ok(fine <= 1.6 && fine > medium && medium > broad && broad > 1, `${fine} ${medium} ${broad}`);
});

test('eyes tell how sharp a face is, and all features do where eyes are hidden', () => {
  const luma = face(3);
  const sharpEyes = face(0);
  const withSharpEyes = luma.map((value, i) => (layout.lids[i]! > 0 ? sharpEyes[i]! : value));
  const hidden = facing.map((value, i) => (layout.lids[i]! > 0 ? 0 : value));
  const { blur: open } = measureTexture(withSharpEyes, facing, layout);
  const { blur: soft } = measureTexture(luma, facing, layout);
  const { blur: other } = measureTexture(withSharpEyes, hidden, layout);
  const { blur: all } = measureTexture(luma, hidden, layout);
  assert.ok(open < soft - 5 && other > open + 5 && all > open + 5, `${open} ${soft} ${other} ${all}`);
});

test('what is outside the face is no edge of it', () => {
  const flat = Float32Array.from(layout.oval, (value) => (value > 0 ? 180 : 0));
  const { bands } = measureTexture(flat, facing, layout);
  for (const band of Object.values(bands) as Float32Array[])
    assert.ok(band.every((value) => Math.abs(value) < 0.01));
});

test('nothing is matched where nothing is wanted', () => {
  const own = measureTexture(face(0), facing, layout);
  assert.equal(textureMatch(own, measureTexture(face(3), facing, layout), 0, PIXEL_A_TEXEL), UNMATCHED);
});

test('grain is given to pixels as strongly as they had it, however little of it the atlas shows', () => {
  const calm = { sharpness: 0.5, blur: 1, grain: 0 };
  const grainy = { ...calm, grain: 0.6 };
  const grains = [0.6, 1, 1.4].map(
    (wide) => textureMatch(calm, grainy, 1, { ...PIXEL_A_TEXEL, pixelTexels: wide }).grain,
  );
  // These shares were read from noise of standard deviation 1.
  for (const [k, seen] of [0.56, 0.39, 0.25].entries())
    assert.ok(Math.abs(grains[k]! - 0.6 / seen) < 0.15 * grains[k]!, `${grains.join(' ')}`);
  assert.equal(textureMatch(calm, grainy, 1, { ...PIXEL_A_TEXEL, mostGrain: 0.4 }).grain, 0.4);
  assert.equal(textureMatch(grainy, grainy, 1, PIXEL_A_TEXEL).grain, 0);
});
