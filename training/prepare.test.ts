import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { readPairs } from '../bench/eye/pair-list.ts';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { alignFace, CROP_SIDE, cutCrop } from './aligned-crop.ts';
import { overlaysOf } from './overlay.ts';
import { isBare, learnable, readPeople } from './people.ts';

/** A face of 478 points on an ellipse. Its forehead and chin are turned by an angle. */
function landmarksOf(middleX: number, middleY: number, height: number, angle: number): Float32Array {
  const landmarks = new Float32Array(3 * 478);
  for (let vertex = 0; vertex < 478; vertex++) {
    const around = (2 * Math.PI * vertex) / 478;
    landmarks.set(
      [middleX + 0.4 * height * Math.sin(around), middleY - 0.5 * height * Math.cos(around), 0],
      3 * vertex,
    );
  }
  const put = (vertex: number, down: number): void =>
    landmarks.set(
      [middleX - down * height * Math.sin(angle), middleY + down * height * Math.cos(angle), 0],
      3 * vertex,
    );
  put(10, -0.5);
  put(152, 0.5);
  return landmarks;
}

test('in its crop, a face is upright and has a fixed size, and the colours stay', () => {
  const image = { width: 400, height: 300, data: new Uint8Array(400 * 300 * 3).fill(90) };
  for (const [x, y, height, angle] of [
    [200, 150, 100, 0],
    [120, 140, 60, 0.5],
    [220, 160, 200, -1.2],
  ] as const) {
    const aligned = alignFace(landmarksOf(x, y, height, angle));
    const at = (vertex: number) => aligned.landmarks.subarray(3 * vertex, 3 * vertex + 2);
    const [forehead, chin] = [at(10), at(152)];
    assert.ok(Math.abs(forehead[0]! - chin[0]!) < 0.01);
    assert.ok(Math.abs(chin[1]! - forehead[1]! - 0.58 * CROP_SIDE) < 0.01);
    const crop = cutCrop(image, aligned);
    assert.ok(crop.data.every((value) => value === 90));
  }
});

test('an overlay has the colour and the opacity of what was drawn', () => {
  const { half } = overlaysOf(['half'], 16, ({ half: { data } }) => {
    // The first pixel is red and half opaque.
    [255, 0, 0].forEach((value, k) => (data[k] = Math.round(0.5 * data[k]! + 0.5 * value)));
  });
  assert.deepEqual(
    [...half.subarray(0, 8)].map((value) => Math.round(value / 4)),
    [32, 0, 0, 32, 0, 0, 0, 0],
  );
});

test(
  'every portrait is listed, and no person of the everyday list is used for training',
  {
    skip: skipWithoutFixtures,
  },
  async () => {
    const people = await readPeople();
    const files = [];
    for (const folder of ['profile-pictures', 'portraits'])
      for (const name of await readdir(fixture(folder)))
        if (/\.(jpe?g|png)$/.test(name)) files.push(`${folder}/${name}`);
    assert.deepEqual(people.map(({ file }) => file).toSorted(), files.toSorted());
    const graded = new Set((await readPairs('everyday')).flatMap(({ source, target }) => [source, target]));
    const gradedPeople = new Set(people.filter(({ file }) => graded.has(file)).map(({ person }) => person));
    const learned = await learnable(people);
    assert.ok(learned.every(({ person }) => !gradedPeople.has(person)));
    assert.ok(learned.filter(isBare).length > 100);
  },
);
