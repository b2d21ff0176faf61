import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { IrisColour } from '../match/iris-ring.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { EYES } from '../uv/face-regions.ts';
import { tintKeptIrises } from './tint-kept-irises.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const GREY = 120;
const middles = EYES.map(({ ring }) => {
  const middle = (at: number): number => {
    const values = ring.map((v) => layout.points[2 * v + at]!);
    return (Math.max(...values) + Math.min(...values)) / 2;
  };
  return [middle(0), middle(1)] as const;
});
const RADIUS = 6;

/** Landmarks of a face that has the same place in its picture and in the atlas. */
const landmarks = new Float32Array(478 * 3);
for (let v = 0; v < 468; v++) landmarks.set(layout.points.subarray(2 * v, 2 * v + 2), 3 * v);
for (const [k, { iris }] of EYES.entries()) {
  const around = [0, 0, 1, 0, 0, -1, -1, 0, 0, 1];
  for (let p = 0; p < 5; p++)
    landmarks.set(
      [middles[k]![0] + RADIUS * around[2 * p]!, middles[k]![1] + RADIUS * around[2 * p + 1]!],
      3 * (iris + p),
    );
}

/** Gives a grey picture brown irises. */
function tinted(mesh = landmarks, wanted: IrisColour = [70, -14, 18]): RgbImage {
  const image = { data: new Uint8Array(3 * SIDE * SIDE).fill(GREY), width: SIDE, height: SIDE };
  tintKeptIrises(image, [GREY, 0, 0], wanted, layout, mesh);
  return image;
}

/** Returns a pixel near the middle of an iris. */
function pixel({ data }: RgbImage, eye: number, dx: number, dy: number): number[] {
  const [x, y] = middles[eye]!;
  const at = 3 * (Math.floor(y + dy) * SIDE + Math.floor(x + dx));
  return [...data.subarray(at, at + 3)];
}

test("irises that stay take the colour of the source's, both alike", () => {
  const image = tinted();
  for (const eye of [0, 1]) {
    const [red, , blue] = pixel(image, eye, 0.65 * RADIUS, 0);
    assert.ok(red! < GREY && blue! < red! - 20, `${red} ${blue}`);
  }
});

test('irises that look black behind glasses do not make black discs', () => {
  const image = tinted(landmarks, [-10, 0, 0]);
  const [red] = pixel(image, 0, 0.65 * RADIUS, 0);
  assert.ok(red! > 0.75 * GREY && red! < GREY, `${red}`);
});

test('pupils, the white and the lids stay as they are', () => {
  const image = tinted();
  for (const eye of [0, 1])
    for (const [dx, dy] of [
      [0, 0],
      [1.6 * RADIUS, 0],
      [0, 2.5 * RADIUS],
    ] as const)
      assert.deepEqual(pixel(image, eye, dx, dy), [GREY, GREY, GREY]);
});

test('where one eye is shut neither is tinted', () => {
  const winking = landmarks.slice();
  for (const v of EYES[0].ring)
    winking[3 * v + 1] = middles[0]![1] + 0.1 * (landmarks[3 * v + 1]! - middles[0]![1]);
  assert.ok(tinted(winking).data.every((value) => value === GREY));
});
