import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { readRgb } from '../../../../scripts/read-rgb.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { engine } from './testing/test-engine.ts';

const samples = await readSampleFaces();
const face = await readRgb(samples.face);
const body = await readRgb(samples.body);

const full = { faceRestoreVisibility: 1, restoreVisibility: 1 };
/** Vertices around what a mask covers, from ear to ear over the nose and back along the jaw. */
const MASK_OUTLINE = [
  234, 227, 117, 118, 47, 126, 197, 355, 277, 347, 346, 447, 454, 323, 361, 435, 288, 397, 365, 379, 378, 400,
  377, 152, 148, 176, 149, 150, 136, 172, 58, 132, 93,
];
/** Vertices that lie behind the mask: tip of the nose, both lips, chin, cheeks. */
const BEHIND_MASK = [4, 0, 17, 199, 205, 425];

/** Largest difference of a channel at a place of two pictures. */
function change(a: RgbImage, b: RgbImage, x: number, y: number): number {
  const at = 3 * (Math.floor(y) * a.width + Math.floor(x));
  return Math.max(...[0, 1, 2].map((k) => Math.abs(a.data[at + k]! - b.data[at + k]!)));
}

test('a mask before nose and mouth stays as it is, and the face above it is swapped', async () => {
  const [found] = await engine.detect(face);
  const { landmarks } = found!;
  const outline = MASK_OUTLINE.map((v) => `${landmarks[3 * v]},${landmarks[3 * v + 1]}`).join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${face.width}" height="${face.height}"><polygon points="${outline}" fill="#b9d3e2"/></svg>`;
  const data = await sharp(Buffer.from(face.data), {
    raw: { width: face.width, height: face.height, channels: 3 },
  })
    .composite([{ input: Buffer.from(svg) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  const target = { ...face, data: new Uint8Array(data) };
  const { image } = await engine.swapImage({ source: body, target, targetFaces: [found!], restore: full });
  for (const v of BEHIND_MASK)
    assert.ok(change(image, target, landmarks[3 * v]!, landmarks[3 * v + 1]!) <= 3, `vertex ${v}`);
  const brow = 105;
  assert.ok(change(image, target, landmarks[3 * brow]!, landmarks[3 * brow + 1]!) > 8, 'the brows are new');
});

test('a hand at the chin stays as it is', { skip: skipWithoutFixtures }, async () => {
  const target = await readRgb(fixture('groups/g09_meeting_four.jpg'));
  const targetFaces = await engine.detect(target);
  let joints = 0;
  for (const [faceIndex, found] of targetFaces.entries()) {
    const hands = await engine.analyser.hands.find(pyramidOf(target), found.landmarks);
    if (hands.length === 0) continue;
    const { image } = await engine.swapImage({ source: face, target, targetFaces, faceIndex, restore: full });
    const { box } = found;
    for (let k = 0; k < 42; k += 2) {
      const [x, y] = [hands[0]!.landmarks[k]!, hands[0]!.landmarks[k + 1]!];
      if (x < box.x || x > box.x + box.width || y < box.y || y > box.y + box.height) continue;
      joints += 1;
      assert.ok(change(image, target, x, y) <= 12, `joint ${k / 2} of face ${faceIndex}`);
    }
  }
  assert.ok(joints > 10, `${joints} joints before faces`);
});
