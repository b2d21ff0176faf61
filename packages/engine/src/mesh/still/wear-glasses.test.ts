import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import type { SourceFace } from '../source/source-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { wearing } from './wear-glasses.ts';

const canonical = await loadCanonicalFace();
const coarse = createAtlasLayouts(canonical)(COARSE_SIDE);
const upright = inImageAxes(canonical.vertices);
const bareFront = paintedFront();
const glassesFront = paintedFront((_u, v) => (v > 0.3 && v < 0.45 ? { lens: 1 } : {}));

const flat = (value: number): Float32Array => new Float32Array(COARSE_SIDE ** 2).fill(value);

/** Turns a face about the vertical axis. */
function turned(degrees: number): Float32Array {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return upright.map((value, i) => {
    const [x, z] = [upright[i - (i % 3)]!, upright[i - (i % 3) + 2]!];
    return [cos * x - sin * z, value, sin * x + cos * z][i % 3]!;
  });
}

/** Makes a source with clear lenses in front of all of its face. */
function sourceWithGlasses(landmarks: Float32Array): SourceFace {
  const light = { luma: flat(150), blue: flat(0), red: flat(0) };
  return {
    atlas: paintedAtlas(COARSE_SIDE, () => [150, 0, 0]),
    light,
    landmarks,
    eyes: landmarks,
    seen: flat(1),
    shown: flat(1),
    lost: null,
    beard: null,
    glasses: {
      atlas: paintedAtlas(COARSE_SIDE, () => [120, 0, 0]),
      light,
      rims: flat(0),
      lenses: flat(1),
      ends: [0.2, 0.8],
      landmarks,
    },
    hasDoubtfulEyes: false,
    gloss: 0,
    colour: 1,
    facePixels: 200,
    texture: { sharpness: 0, blur: 0, grain: 0 },
  };
}

test('a bare target wears the glasses, and its face is the one behind their lenses', () => {
  const source = sourceWithGlasses(turned(0));
  const worn = wearing(source, turned(15), bareFront, coarse, ordinaryPlanes);
  assert.ok(worn.glasses === source.glasses);
  assert.equal(worn.atlas.luma[COARSE_SIDE * 40 + 64], 120);
});

test('a target with its own glasses, and one turned far away, wear none', () => {
  for (const [own, target, front] of [
    [turned(0), turned(0), glassesFront],
    [turned(0), turned(40), bareFront],
  ] as const) {
    const bare = wearing(sourceWithGlasses(own), target, front, coarse, ordinaryPlanes);
    assert.ok(bare.glasses === null);
    assert.equal(bare.atlas.luma[COARSE_SIDE * 40 + 64], 150);
  }
});
