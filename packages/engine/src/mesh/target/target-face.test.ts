import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { TargetFace } from './target-face.ts';
import { readTargetFace } from './target-face.ts';

const canonical = await loadCanonicalFace();
const layouts = createAtlasLayouts(canonical);
const SIDE = 256;

/**
 * Measures a face that is pressed flat onto a picture, as in the atlas, with grey-brown skin of the
 * painted brightness.
 */
function painted(
  brightness: (u: number, v: number) => number,
  front = paintedFront(),
  keepsBeard?: (score: number) => boolean,
): TargetFace {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const value = brightness((i % SIDE) / SIDE, Math.floor(i / SIDE) / SIDE);
    data.set([1.15 * value, 0.95 * value, 0.82 * value], 3 * i);
  }
  const image: RgbImage = { data, width: SIDE, height: SIDE };
  const landmarks = new Float32Array(468 * 3);
  for (let v = 0; v < 468; v++)
    landmarks.set([canonical.uv[2 * v]! * SIDE, canonical.uv[2 * v + 1]! * SIDE], 3 * v);
  const pyramid = new ImagePyramid(image);
  return readTargetFace(layouts(SIDE), pyramid, landmarks, front, undefined, keepsBeard);
}

/** Returns the index of a texel of the whole atlas. */
const at = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);

const isRim = (v: number): boolean => v > 0.441 && v < 0.445;

const isHair = (u: number, v: number): boolean => u < 0.35 && v < 0.4;

const isBelowNose = (v: number): boolean => v > 0.62;

const cell = (u: number, v: number): number =>
  Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE);

test('a stubbled jaw counts less as skin than a cheek, and is met at the rim as much', () => {
  const { skin, rim, light } = painted((_u, v) => (v > 0.62 ? 120 : 150));
  const jaw = cell(0.5, 0.9);
  const cheek = cell(0.33, 0.55);
  assert.ok(skin[jaw]! < 0.75 * skin[cheek]! && skin[jaw]! > 0.4 * skin[cheek]!, `skin ${skin[jaw]}`);
  assert.ok(Math.abs(rim[jaw]! - rim[cheek]!) < 0.02, `rim ${rim[jaw]}`);
  // The light continues into the stubble that the throat has too, and does not stain the cheek.
  assert.ok(light.luma[jaw]! < light.luma[cheek]! - 12, `${light.luma[jaw]} beside ${light.luma[cheek]}`);
});

test('a beard is no skin, whether it stays or goes', () => {
  const front = paintedFront((_u, v) => ({ beard: isBelowNose(v) ? 1 : 0 }));
  for (const stays of [true, false]) {
    const face = painted(
      (_u, v) => (isBelowNose(v) ? 40 : 150),
      front,
      () => stays,
    );
    assert.equal(face.beard !== null, stays);
    assert.equal(face.shaved === null, stays);
    const [jaw, cheek] = [face.light.luma[cell(0.5, 0.9)]!, face.light.luma[cell(0.33, 0.55)]!];
    assert.ok(jaw > 0.8 * cheek, `light ${jaw} beside ${cheek}`);
  }
});

test('hair that hangs in is neither skin nor met at the rim', () => {
  const { skin, rim, occluded } = painted(
    (u, v) => (isHair(u, v) ? 25 : 150),
    paintedFront((u, v) => ({ hair: isHair(u, v) ? 1 : 0 })),
  );
  assert.ok(occluded[at(0.2, 0.3)]! > 0.95);
  assert.ok(occluded[at(0.5, 0.6)]! < 0.01);
  assert.ok(skin[cell(0.2, 0.3)]! < 0.05 && rim[cell(0.2, 0.3)]! < 0.05);
  assert.ok(rim[cell(0.75, 0.25)]! > 0.9);
});

test('behind a lens the face is swapped, and the frame and what the lens mirrors stay', () => {
  const front = paintedFront((u, v) =>
    v > 0.44 && v < 0.47 ? { frame: 1 } : v > 0.33 && v < 0.44 ? { lens: 1, glare: u < 0.4 ? 1 : 0 } : {},
  );
  const { occluded, frames } = painted((_u, v) => (v > 0.44 && v < 0.47 ? 20 : 150), front);
  assert.ok(occluded[at(0.35, 0.455)]! > 0.9 && frames[at(0.35, 0.455)]! > 0.9);
  assert.ok(occluded[at(0.35, 0.38)]! > 0.9, 'glare');
  assert.ok(occluded[at(0.65, 0.38)]! < 0.05, 'the eye behind');
});

test('a thin rim stays, whether it is darker or brighter than the skin', () => {
  const { occluded } = painted(
    (u, v) => (!isRim(v) ? 150 : u < 0.5 ? 90 : 210),
    paintedFront((_u, v) => (isRim(v) ? { frame: 0.4 } : {})),
  );
  for (const u of [0.35, 0.65])
    assert.ok(occluded[at(u, 0.443)]! > 0.7, `${occluded[at(u, 0.443)]!} at ${u}`);
  assert.ok(occluded[at(0.35, 0.47)]! < 0.1);
});
