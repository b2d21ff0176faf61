import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LEFT_EYE, RIGHT_EYE } from '../uv/face-regions.ts';
import { TrackIrises } from './irises.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const EYES = [
  { ring: RIGHT_EYE, iris: 468 },
  { ring: LEFT_EYE, iris: 473 },
] as const;

/** Luma, blue and red difference of the target's irises and of the source's, Rec. 601. */
const BROWN = [60, -8, 10] as const;
const GREEN = [110, -4, -9] as const;

/** Makes a face as it is in the atlas; `open` is the distance between the lids. */
function face(open: number): { landmarks: Float32Array; irises: { x: number; y: number; radius: number }[] } {
  const landmarks = new Float32Array(478 * 3);
  for (let v = 0; v < 468; v++) landmarks.set(layout.points.subarray(2 * v, 2 * v + 2), 3 * v);
  const irises = EYES.map(({ ring, iris }) => {
    const xs = ring.map((v) => layout.points[2 * v]!);
    const ys = ring.map((v) => layout.points[2 * v + 1]!);
    const x = (Math.min(...xs) + Math.max(...xs)) / 2;
    const y = (Math.min(...ys) + Math.max(...ys)) / 2;
    const radius = (Math.max(...xs) - Math.min(...xs)) / 6;
    for (const v of ring) landmarks[3 * v + 1] = y + (landmarks[3 * v + 1]! - y) * open;
    const around = [0, 0, radius, 0, 0, -radius, -radius, 0, 0, radius];
    for (let k = 0; k < 5; k++) landmarks.set([x + around[2 * k]!, y + around[2 * k + 1]!], 3 * (iris + k));
    return { x, y, radius };
  });
  return { landmarks, irises };
}

const plane = (value: number): Float32Array => new Float32Array(SIDE * SIDE).fill(value);
const source: Atlas = {
  side: SIDE,
  luma: plane(GREEN[0]),
  blue: plane(GREEN[1]),
  red: plane(GREEN[2]),
  facing: plane(1),
};

/** Makes a picture filled with the target's iris colour, with chroma as large as luma or halved. */
function picture(chromaIsHalved: boolean): FramePlanes {
  const side = chromaIsHalved ? SIDE / 2 : SIDE;
  return {
    x: 0,
    y: 0,
    width: SIDE,
    height: SIDE,
    chromaIsHalved,
    data: [
      new Uint8Array(SIDE * SIDE).fill(BROWN[0]),
      new Uint8Array(side * side).fill(128 + BROWN[1]),
      new Uint8Array(side * side).fill(128 + BROWN[2]),
    ],
    strides: [SIDE, side, side],
    colours: {
      offset: [0, 128, 128],
      weights: [
        [0.299, 0.587, 0.114],
        [-0.299, -0.587, 0.886].map((value) => 0.564 * value),
        [0.701, -0.587, -0.114].map((value) => 0.713 * value),
      ].flat(),
    },
  };
}

function draw(planes: FramePlanes, open: number, hasDoubtfulEyes = false): void {
  const irises = new TrackIrises(layout, { eyes: face(1).landmarks, hasDoubtfulEyes });
  irises.relight(source, 1);
  irises.draw(planes, face(open).landmarks, { opacity: 1, elapsedSeconds: 0.04, isFresh: true });
}

for (const chromaIsHalved of [false, true]) {
  test(`the ring of an open eye takes the source's colour, chroma ${chromaIsHalved ? 'halved' : 'full'}`, () => {
    const planes = picture(chromaIsHalved);
    draw(planes, 1);
    const halved = chromaIsHalved ? 2 : 1;
    for (const { x, y, radius } of face(1).irises) {
      const column = Math.floor(x + 0.65 * radius);
      const row = Math.floor(y);
      const luma = planes.data[0][row * SIDE + column]!;
      assert.ok(luma > 90 && luma <= 110, `${luma}`);
      const at = Math.floor(row / halved) * planes.strides[2] + Math.floor(column / halved);
      assert.ok(planes.data[2][at]! < 128, `${planes.data[2][at]}`);
      assert.equal(planes.data[0][Math.floor(y) * SIDE + Math.floor(x)], BROWN[0], 'the pupil stays');
    }
  });
}

test('what is outside irises and lids keeps its bits', () => {
  const planes = picture(false);
  draw(planes, 1);
  const { irises } = face(1);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const x = (i % SIDE) + 0.5;
    const y = Math.floor(i / SIDE) + 0.5;
    const isIris = irises.some((iris) => Math.hypot(x - iris.x, y - iris.y) < 1.1 * iris.radius);
    if (isIris && layout.softEyes[i]! > 0) continue;
    assert.ok(planes.data.every((each, k) => each[i] === [BROWN[0], 128 + BROWN[1], 128 + BROWN[2]][k]));
  }
});

test('a shut eye and a reflection stay as they are', () => {
  const shut = picture(false);
  draw(shut, 0.1);
  assert.ok(shut.data[0].every((luma) => luma === BROWN[0]));
  const glinting = picture(false);
  const { x, y, radius } = face(1).irises[0]!;
  const at = Math.floor(y) * SIDE + Math.floor(x + 0.65 * radius);
  glinting.data[0][at] = 240;
  draw(glinting, 1);
  assert.equal(glinting.data[0][at], 240);
});

test('irises behind glasses are hardly darker or lighter than those they stand for', () => {
  const planes = picture(false);
  draw(planes, 1, true);
  const { x, y, radius } = face(1).irises[0]!;
  const at = Math.floor(y) * SIDE + Math.floor(x + 0.65 * radius);
  const luma = planes.data[0][at]!;
  assert.ok(luma > BROWN[0] && luma < 80, `${luma}`);
  assert.ok(planes.data[2][at]! < 128, `${planes.data[2][at]}`);
});
