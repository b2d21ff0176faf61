import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { LANDMARK_COUNT } from '../../face/geometry/face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { LEFT_EYE_CORNERS, RIGHT_EYE_CORNERS } from '../uv/face-regions.ts';
import type { TargetSide } from './mirror-source.ts';
import { mirrorSource, suitSide } from './mirror-source.ts';
import type { SourceFace } from './source-face.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(COARSE_SIDE);
const upright = inImageAxes(canonical.vertices);

/** Turns the canonical face to the image's right by so many degrees. */
function turned(degrees: number): Float32Array {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const mesh = new Float32Array(LANDMARK_COUNT * 3);
  for (let i = 0; i < upright.length; i += 3) {
    mesh[i] = cos * upright[i]! - sin * upright[i + 2]!;
    mesh[i + 1] = upright[i + 1]!;
    mesh[i + 2] = sin * upright[i]! + cos * upright[i + 2]!;
  }
  return mesh;
}

/** Makes an evenly lit target with these faces. */
const evenlyLit = (meshes: readonly Float32Array[]): TargetSide => ({ meshes, litFrom: 0 });

function plane(): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE);
}

/**
 * Makes a source whose photo shows the image-left half of the face by `left`, the other by `right`.
 */
function sourceSeen(left: number, right: number): SourceFace {
  const luma = plane().map((_, i) => i % 251);
  const light = { luma: luma.slice(), blue: plane(), red: plane() };
  return {
    atlas: { side: COARSE_SIDE, luma, blue: plane(), red: plane(), facing: plane() },
    light,
    landmarks: turned(20),
    eyes: turned(20),
    lost: null,
    beard: { side: COARSE_SIDE, score: 0.8, luma: luma.slice(), colour: luma.slice(), hides: plane() },
    glasses: null,
    seen: plane().map((_, i) => (i % COARSE_SIDE < COARSE_SIDE / 2 ? left : right)),
    shown: plane().map((_, i) => (i % COARSE_SIDE < COARSE_SIDE / 2 ? left : right)),
    hasDoubtfulEyes: false,
    gloss: 0,
    colour: 1,
    facePixels: 200,
    texture: { sharpness: 0, blur: 0, grain: 0 },
  };
}

test('a source turned to the other side than the target is taken in the mirror', () => {
  const source = sourceSeen(1, 0.3);
  // Turned to the image's right, a face shows its image-left half.
  assert.equal(suitSide(source, evenlyLit([turned(30)]), layout), source);
  const suited = suitSide(source, evenlyLit([turned(-30)]), layout);
  assert.notEqual(suited, source);
  assert.equal(suited.seen[64 * COARSE_SIDE], source.seen[65 * COARSE_SIDE - 1]);
  assert.equal(suited.shown[64 * COARSE_SIDE], source.shown[65 * COARSE_SIDE - 1]);
  assert.equal(suitSide(suited, evenlyLit([turned(-30)]), layout), suited);
});

test('a source is not mirrored for a straight target, for one that looks to both sides, or where both halves are seen alike', () => {
  const source = sourceSeen(1, 0.3);
  assert.equal(suitSide(source, evenlyLit([turned(0)]), layout), source);
  assert.equal(suitSide(source, evenlyLit([turned(-30), turned(30)]), layout), source);
  const straight = sourceSeen(0.8, 0.8);
  assert.equal(suitSide(straight, evenlyLit([turned(-40)]), layout), straight);
});

/** Makes a straight source whose image-right half is lit with `right`, the other with 100. */
function sourceLit(right: number, seenRight = 1): SourceFace {
  const source = sourceSeen(1, seenRight);
  for (let i = 0; i < source.light.luma.length; i++)
    source.light.luma[i] = i % COARSE_SIDE < COARSE_SIDE / 2 ? 100 : right;
  return source;
}

test('a source lit from the other side than the target is taken in the mirror', () => {
  const target = { meshes: [turned(0)], litFrom: 0.2 };
  const opposite = sourceLit(60);
  assert.notEqual(suitSide(opposite, target, layout), opposite);
  const alike = sourceLit(150);
  assert.equal(suitSide(alike, target, layout), alike);
  const even = sourceLit(95);
  assert.equal(suitSide(even, target, layout), even);
  assert.equal(suitSide(opposite, { ...target, litFrom: 0.03 }, layout), opposite);
});

test('a source is not mirrored for its light where that would show less of it', () => {
  const turnedSource = sourceLit(60, 0.3);
  assert.equal(suitSide(turnedSource, { meshes: [turned(20)], litFrom: 0.2 }, layout), turnedSource);
});

test('the mirror image is turned to the other side, has the other eye in its place, and is itself the original in the mirror', () => {
  const source = sourceSeen(1, 0.3);
  const mirrored = mirrorSource(source, layout);
  const other = turned(-20);
  for (const v of [...RIGHT_EYE_CORNERS, ...LEFT_EYE_CORNERS, 10, 152])
    for (let k = 0; k < 3; k++)
      assert.ok(Math.abs(mirrored.landmarks[3 * v + k]! - other[3 * v + k]!) < 1e-3);
  assert.equal(mirrored.atlas.luma[5], source.atlas.luma[COARSE_SIDE - 6]);
  assert.equal(mirrored.beard!.colour[5], source.beard!.colour[COARSE_SIDE - 6]);
  const again = mirrorSource(mirrored, layout);
  for (const key of ['landmarks', 'eyes', 'seen'] as const)
    assert.ok(Buffer.from(again[key].buffer).equals(Buffer.from(source[key].buffer)));
  assert.ok(Buffer.from(again.atlas.luma.buffer).equals(Buffer.from(source.atlas.luma.buffer)));
});
