import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { seededRandom } from '../scripts/seeded-order.ts';
import { otherPhoto, type Portrait } from './other-photo.ts';

const SIDE = 300;
const FACE_PX = 120;

/** A grey picture with a white square as its face. All landmarks are in the middle. */
function portrait(): Portrait {
  const begin = (SIDE - FACE_PX) / 2;
  const isFace = (at: number): boolean => at >= begin && at < begin + FACE_PX;
  const image: RgbImage = { width: SIDE, height: SIDE, data: new Uint8Array(3 * SIDE * SIDE).fill(90) };
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      if (isFace(x) && isFace(y)) image.data.fill(180, 3 * (y * SIDE + x), 3 * (y * SIDE + x) + 3);
  const box = { x: begin, y: begin, width: FACE_PX, height: FACE_PX };
  const landmarks = new Float32Array(3 * 478).fill(SIDE / 2);
  return {
    picture: { file: 'a.png', person: 'a', shows: ['glasses'] },
    image,
    face: { box, landmarks } as Face,
  };
}

function meanOf({ data }: RgbImage): number {
  return data.reduce((sum, value) => sum + value, 0) / data.length;
}

test('another photo shows the same face in other light and at another size, never larger', async () => {
  const photos = [];
  for (let seed = 1; seed <= 12; seed++)
    photos.push(await otherPhoto(portrait(), 'source', seededRandom(seed)));
  const most = Math.round(2.2 * FACE_PX);
  assert.ok(photos.every(({ width, height }) => width === height && width <= most && width >= most * 0.4));
  assert.ok(new Set(photos.map(({ width }) => width)).size > 3);
  const means = photos.map(meanOf);
  assert.ok(Math.max(...means) - Math.min(...means) > 30, `${means}`);
});

test('the same random numbers make the same photo', async () => {
  const [one, two] = [
    await otherPhoto(portrait(), 'target', seededRandom(4)),
    await otherPhoto(portrait(), 'target', seededRandom(4)),
  ];
  assert.deepEqual(one, two);
});

test("a target's picture is never mirrored, because it is the correct result", async () => {
  // The face is left of the middle.
  const { image, face, picture } = portrait();
  const box = { ...face.box, x: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    const { data, width, height } = await otherPhoto(
      { picture, image, face: { ...face, box } },
      'target',
      seededRandom(seed),
    );
    const at = (x: number): number => data[3 * (Math.floor(height / 2) * width + Math.floor(x * width)) + 1]!;
    // The left edge is grey, and the face is to the right of the crop's middle.
    assert.ok(at(0.75) > at(0.05), `seed ${seed}: ${at(0.05)}, ${at(0.75)}`);
  }
});
