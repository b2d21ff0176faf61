import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../../scripts/fixtures.ts';
import { readRgb } from '../../../../../scripts/read-rgb.ts';
import { readSampleFaces } from '../../samples/sample-faces.ts';
import { createFaceAnalyser } from './analyser.ts';
import type { Face } from '../geometry/face.ts';
import { sessions } from '../../models/testing/test-sessions.ts';

const analyser = createFaceAnalyser(sessions);

async function onlyFace(image: RgbImage): Promise<Face> {
  const faces = await analyser.detect(image);
  assert.equal(faces.length, 1);
  return faces[0]!;
}

function distance(a: Float32Array, b: Float32Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0));
}

test('the sample face is found once, with its landmarks in the box and the irises inside the eyes', async () => {
  const { box, landmarks, score } = await onlyFace(await readRgb((await readSampleFaces()).face));
  assert.ok(score > 0.7 && score <= 1);
  assert.ok(Math.abs(box.x - 43) < 5 && Math.abs(box.width - 168) < 8, JSON.stringify(box));
  for (const [iris, outer, inner] of [
    [468, 33, 133],
    [473, 362, 263],
  ] as const) {
    assert.ok(landmarks[3 * iris]! > landmarks[3 * outer]! && landmarks[3 * iris]! < landmarks[3 * inner]!);
    // Rim: right, top, left, bottom.
    assert.ok(landmarks[3 * (iris + 1)]! > landmarks[3 * (iris + 3)]!);
    assert.ok(landmarks[3 * (iris + 2) + 1]! < landmarks[3 * (iris + 4) + 1]!);
  }
});

test('the small face of a standing person is found', async () => {
  await onlyFace(await readRgb((await readSampleFaces()).body));
});

test('a small face in the corner of a portrait is found as well, down to a thirtieth of its side', async () => {
  const { face } = await readSampleFaces();
  const portrait = await sharp(face)
    .resize(600, 600)
    .extend({ top: 200, bottom: 200, left: 200, right: 200, extendWith: 'copy' })
    .toBuffer();
  // The sample's face is two thirds as wide as the sample.
  for (const [share, count] of [
    [0, 1],
    [0.03, 2],
    [0.06, 2],
    [0.12, 2],
  ] as const) {
    const small = await sharp(face)
      .resize(Math.max(1, Math.round(1500 * share)))
      .toBuffer();
    const picture = sharp(portrait).composite([{ input: small, left: 20, top: 30 }]);
    assert.equal((await analyser.detect(await readRgb(await picture.toBuffer()))).length, count, `${share}`);
  }
});

test('a picture without a face has none, however small it is', async () => {
  for (const [width, height] of [
    [1, 1],
    [3, 200],
    [640, 480],
  ] as const) {
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 2654435761) >>> 24);
    assert.deepEqual(await analyser.detect({ data, width, height }), []);
  }
});

test('a face lying on its side or upside down is found, with the roll that it was turned by', async () => {
  for (const turn of [90, 180, 270] as const) {
    const { pose } = await onlyFace(await readRgb((await readSampleFaces()).face, { turn }));
    const difference = ((pose.roll - turn + 540) % 360) - 180;
    assert.ok(Math.abs(difference) < 8, `${turn}: roll ${pose.roll}`);
  }
});

test('three faces in one picture are numbered left to right', async () => {
  const face = await readRgb((await readSampleFaces()).face);
  const side = face.width;
  const place = (places: readonly (readonly [number, number])[], width: number, height: number): RgbImage => {
    const data = new Uint8Array(width * height * 3).fill(128);
    for (const [x, y] of places) {
      for (let row = 0; row < side; row++) {
        data.set(face.data.subarray(row * side * 3, (row + 1) * side * 3), ((y + row) * width + x) * 3);
      }
    }
    return { data, width, height };
  };
  const columns = [0, 300, 600].map((x, i) => [x, [200, 0, 100][i]!] as const);
  const across = await analyser.detect(place(columns, 860, 460));
  assert.equal(across.length, 3);
  assert.ok(across[0]!.box.x < across[1]!.box.x && across[1]!.box.x < across[2]!.box.x);
});

test('a tracked face keeps its landmarks, and is lost where there is nothing any more', async () => {
  const image = await readRgb((await readSampleFaces()).face);
  const face = await onlyFace(image);
  const tracked = await analyser.track(image, face);
  assert.ok(tracked);
  assert.ok(Math.abs(tracked.box.x - face.box.x) < 2 && Math.abs(tracked.box.width - face.box.width) < 3);
  const empty = { ...image, data: new Uint8Array(image.data.length).fill(90) };
  assert.equal(await analyser.track(empty, face), null);
});

test('calls that overlap do not disturb one another', async () => {
  const image = await readRgb((await readSampleFaces()).face);
  const alone = await onlyFace(image);
  const together = await Promise.all([onlyFace(image), analyser.embed(image, alone), onlyFace(image)]);
  assert.deepEqual(together[0].landmarks, alone.landmarks);
  assert.deepEqual(together[2].landmarks, alone.landmarks);
  assert.deepEqual(together[1], await analyser.embed(image, alone));
});

test(
  'two photos of one person are closer than photos of two people',
  { skip: skipWithoutFixtures },
  async () => {
    const [studio, desk, other] = await Promise.all(
      ['p15a_torres_studio.jpg', 'p15b_torres_desk.jpg', 'p43_khandelwal.jpg'].map(async (file) => {
        const image = await readRgb(fixture(`portraits/${file}`));
        return analyser.embed(image, await onlyFace(image));
      }),
    );
    assert.ok(distance(studio!, desk!) < 0.5, `${distance(studio!, desk!)}`);
    assert.ok(distance(studio!, other!) > 0.6, `${distance(studio!, other!)}`);
  },
);

test('every portrait has exactly one face', { skip: skipWithoutFixtures }, async () => {
  for (const file of readdirSync(fixture('portraits'))) {
    const faces = await analyser.detect(await readRgb(fixture(`portraits/${file}`)));
    assert.equal(faces.length, 1, file);
  }
});

test('pictures without a face, puppets too, have none', { skip: skipWithoutFixtures }, async () => {
  for (const file of readdirSync(fixture('noface'))) {
    assert.equal((await analyser.detect(await readRgb(fixture(`noface/${file}`)))).length, 0, file);
  }
});

test('groups: every face large enough to tell is found', { skip: skipWithoutFixtures }, async () => {
  for (const [file, least, most] of [
    ['g05_18f_team_55faces.jpg', 40, 50],
    ['g08_videocall_grid_25.jpg', 22, 26],
    ['g09_meeting_four.jpg', 4, 4],
    ['g11_audience_eating.jpg', 20, 26],
    ['g39_india_men.jpg', 5, 5],
  ] as const) {
    const { length } = await analyser.detect(await readRgb(fixture(`groups/${file}`)));
    assert.ok(length >= least && length <= most, `${file}: ${length}`);
  }
});

test(
  'a face that fills the picture, behind tinted glasses, is found',
  { skip: skipWithoutFixtures },
  async () => {
    const { box } = await onlyFace(await readRgb(fixture('profile-pictures/pif-greg-gershman.jpg')));
    assert.ok(box.width > 250, `${box.width} of 400`);
  },
);

test('a head rolled by some 40 degrees is read with that roll', { skip: skipWithoutFixtures }, async () => {
  const { pose } = await onlyFace(await readRgb(fixture('portraits/p54_mhz_rolled.jpg')));
  assert.ok(pose.roll < -30 && pose.roll > -50, `${pose.roll}`);
});

test(
  'a face behind sunglasses and fingers is found whole, with its eyes behind the lenses',
  { skip: skipWithoutFixtures },
  async () => {
    const { box, landmarks } = await onlyFace(await readRgb(fixture('portraits/p53_julia_occluded.jpg')));
    assert.ok(box.height > 150 && box.height < 200, `${box.height}`);
    for (const [eye, x, y] of [
      [159, 62, 95],
      [386, 160, 95],
    ] as const)
      assert.ok(Math.hypot(landmarks[3 * eye]! - x, landmarks[3 * eye + 1]! - y) < 20, `vertex ${eye}`);
  },
);

test('turned photos are read as upright ones are', { skip: skipWithoutFixtures }, async () => {
  const file = fixture('portraits/p20_murphy_glasses.jpg');
  const upright = await readRgb(file);
  const identity = await analyser.embed(upright, await onlyFace(upright));
  for (const turn of [90, 180, 270] as const) {
    const image = await readRgb(file, { turn });
    assert.ok(distance(identity, await analyser.embed(image, await onlyFace(image))) < 0.2, `${turn}`);
  }
});

test('a photo of 69 megapixels is read as a small one', { skip: skipWithoutFixtures }, async () => {
  const { box } = await onlyFace(await readRgb(fixture('odd/d16_kate_69mp.jpg')));
  assert.ok(box.width > 2000 && box.width < 2700);
});

test(
  'a portrait is read alike by the cheap way, and a group is left to the full one',
  { skip: skipWithoutFixtures },
  async () => {
    const portrait = await readRgb(fixture('portraits/p16_ponce_highkey.png'));
    const quick = await analyser.detectPortrait(portrait);
    const [full] = await analyser.detect(portrait);
    assert.ok(quick && full);
    for (const side of ['x', 'y', 'width', 'height'] as const) {
      assert.ok(Math.abs(quick.box[side] - full.box[side]) < 0.02 * full.box.width, side);
    }
    assert.equal(
      await analyser.detectPortrait(await readRgb(fixture('groups/g08_videocall_grid_25.jpg'))),
      null,
    );
  },
);
