import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import type { Front } from '../front/front.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { TrackGlasses } from './glasses.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(COARSE_SIDE);
const [WIDTH, HEIGHT] = [160, 190];
const upright = inImageAxes(canonical.vertices);
const flat = (value: number): Float32Array => new Float32Array(COARSE_SIDE ** 2).fill(value);
const light = { luma: flat(150), blue: flat(0), red: flat(0) };
const isRim = (u: number, v: number): boolean => v > 0.32 && v < 0.42 && Math.abs(u - 0.5) < 0.3;

/** Turns a face about the vertical axis, and puts it into the frame. */
function placed(degrees: number): Float32Array {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return upright.map((value, i) => {
    const [x, z] = [upright[i - (i % 3)]!, upright[i - (i % 3) + 2]!];
    return 8 * [cos * x - sin * z, value, sin * x + cos * z][i % 3]! + (i % 3 === 0 ? 80 : 95);
  });
}

/** Draws black glasses into a white frame. Returns how many pixels are dark. */
function darkPixels(front: Front, degrees: number, occluded = 0): number {
  using space = new Workspace();
  const glasses = new TrackGlasses(
    {
      atlas: paintedAtlas(COARSE_SIDE, () => [10, 0, 0]),
      light,
      rims: paintedAtlas(COARSE_SIDE, (u, v) => [isRim(u, v) ? 1 : 0, 0, 0]).luma,
      lenses: flat(0),
      ends: [0.2, 0.8],
      landmarks: placed(0),
    },
    layout,
    space,
  );
  glasses.study({ front, light, colour: 1 }, true);
  const data = [235, 128, 128].map((value) => new Uint8Array(WIDTH * HEIGHT).fill(value)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const planes: FramePlanes = {
    x: 0,
    y: 0,
    width: WIDTH,
    height: HEIGHT,
    chromaIsHalved: false,
    data,
    strides: [WIDTH, WIDTH, WIDTH],
    colours: {
      offset: [16, 128, 128],
      weights: [0.257, 0.504, 0.098, -0.148, -0.291, 0.439, 0.439, -0.368, -0.071],
    },
  };
  glasses.draw(planes, {
    mesh: placed(degrees),
    landmarks: placed(degrees),
    occluders: { plane: flat(occluded), side: COARSE_SIDE, triangles: layout.triangles },
    veil: 0,
    opacity: 1,
    grain: 0,
    grainShift: 0,
  });
  return data[0].filter((luma) => luma < 60).length;
}

const bare = paintedFront();

test('glasses are drawn over a face that has none', () => {
  assert.ok(darkPixels(bare, 0) > 300);
  assert.ok(darkPixels(bare, 20) > 300);
});

test('hair and hands stay before them, and they vanish as a face turns away', () => {
  assert.equal(darkPixels(bare, 0, 1), 0);
  assert.equal(darkPixels(bare, 60), 0);
});

test('a face with glasses of its own gets no others', () => {
  assert.equal(
    darkPixels(
      paintedFront(() => ({ lens: 1 })),
      0,
    ),
    0,
  );
});
