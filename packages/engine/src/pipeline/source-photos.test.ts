import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { readRgb, toSharp } from '../../../../scripts/read-rgb.ts';
import { embeddingDistance } from '../face/detect/embedding-distance.ts';
import { RgbaFrame } from '@guise/media/gif/rgba-frame.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import type { SwapImageResult } from './swap-image.ts';
import { engine } from './testing/test-engine.ts';

const samples = await readSampleFaces();
const face = await readRgb(samples.face);
const body = await readRgb(samples.body);
/** A face longer than any real one, because the sample people look alike. */
const long = await toSharp(body).resize(1200, 2200, { fit: 'fill' }).png().toBuffer();
const stranger = await readRgb(long);

function swap(source: RgbImage, additional: readonly RgbImage[], target = body): Promise<SwapImageResult> {
  return engine.swapImage({
    source,
    target,
    additionalSources: additional.map((image, at) => ({ name: `photo ${at}`, image: async () => image })),
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
  });
}

/** Returns the distance of the swapped face's embedding to that of a photo. */
async function distanceTo(wanted: RgbImage, { image }: SwapImageResult): Promise<number> {
  const embeddings = [];
  for (const each of [wanted, image]) {
    const [found] = await engine.detect(each);
    embeddings.push(await engine.analyser.embed(each, found!));
  }
  return embeddingDistance(embeddings[0]!, embeddings[1]!);
}

const blurred = async (image: RgbImage, sigma: number): Promise<RgbImage> =>
  readRgb(await toSharp(image).blur(sigma).png().toBuffer());

describe('photos that do not belong together', () => {
  test('a photo of another person is refused by name', async () => {
    await assert.rejects(swap(face, [face, stranger]), (error: unknown) => {
      assert.ok(error instanceof TaskFailure);
      assert.equal(error.code, 'FACE_MISMATCH');
      assert.equal(error.message, 'photo 1 shows another person than the source image.');
      return true;
    });
  });

  test('a photo without a face is refused by name, before any later one is loaded', async () => {
    const empty = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(128) };
    let loads = 0;
    const load = (image: RgbImage) => async () => {
      loads += 1;
      return image;
    };
    await assert.rejects(
      engine.swapImage({
        source: face,
        target: body,
        additionalSources: [
          { name: 'first', image: load(empty) },
          { name: 'second', image: load(face) },
        ],
        restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
      }),
      { code: 'NO_FACE_DETECTED', message: 'No face was found in first.' },
    );
    assert.equal(loads, 1);
  });

  test('the same of a video, by the first look at a frame', async () => {
    const request = {
      source: face,
      targetName: 'target video',
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    };
    const swap = await engine.openVideoSwap({
      ...request,
      additionalSources: [{ name: 'me.jpg', image: async () => stranger }],
    });
    const side = 64;
    const frame = new RgbaFrame(new Uint8Array(4 * side * side), side, side, 0, 0);
    await assert.rejects(swap.look(frame), {
      code: 'FACE_MISMATCH',
      message: 'me.jpg shows another person than the source image.',
    });
    await swap.close();
  });
});

describe('photos of one person', () => {
  test('shares are one a photo and together 1; one photo alone has all', async () => {
    assert.deepEqual((await swap(face, [])).sourceShares, [1]);
    const { sourceShares } = await swap(face, [await blurred(face, 0.6), face]);
    assert.equal(sourceShares.length, 3);
    assert.ok(Math.abs(sourceShares.reduce((sum, share) => sum + share) - 1) < 1e-5);
    assert.ok(
      sourceShares.every((share) => share > 0.1),
      `${sourceShares.join(' ')}`,
    );
  });

  test('a photo that is no good lends nothing, and the swap is nearly the one without it', async () => {
    const alone = await swap(face, []);
    const bad = await swap(face, [await blurred(face, 4)]);
    assert.ok(bad.sourceShares[1]! < 0.02, `${bad.sourceShares[1]}`);
    const difference = (await distanceTo(face, bad)) - (await distanceTo(face, alone));
    assert.ok(difference < 0.01, `${difference}`);
  });

  test('a good photo improves a bad first one', async () => {
    const bad = await blurred(face, 4);
    const alone = await distanceTo(face, await swap(bad, []));
    const helped = await distanceTo(face, await swap(bad, [face]));
    assert.ok(helped < alone - 0.1, `${helped} from ${alone}`);
  });

  test('what a hand covers in one photo comes from another', async () => {
    const { width, height, data } = face;
    const covered = { width, height, data: data.slice() };
    const [found] = await engine.detect(face);
    const { box } = found!;
    for (let y = Math.floor(box.y + 0.6 * box.height); y < Math.floor(box.y + box.height); y++) {
      for (let x = Math.floor(box.x); x < Math.floor(box.x + 0.5 * box.width); x++) {
        covered.data.set([60, 110, 190], (y * width + x) * 3);
      }
    }
    const clean = await swap(face, []);
    const off = ({ image }: SwapImageResult): number =>
      image.data.reduce((sum, value, i) => sum + Math.abs(value - clean.image.data[i]!), 0);
    const alone = off(await swap(covered, []));
    const helped = off(await swap(covered, [face, await blurred(face, 0.6)]));
    assert.ok(helped < 0.7 * alone, `${helped} from ${alone}`);
    const other = await distanceTo(face, await swap(face, [covered]));
    const unharmed = await distanceTo(face, clean);
    assert.ok(other < unharmed + 0.03, `${other} from ${unharmed}`);
  });

  test(
    'two photos of a man are nearer to both than one is to both',
    { skip: skipWithoutFixtures },
    async () => {
      const names = ['p15a_torres_studio.jpg', 'p15b_torres_desk.jpg', 'p43_khandelwal.jpg'];
      const [studio, desk, target] = (await Promise.all(
        names.map((name) => readRgb(fixture(`portraits/${name}`), { longest: 800 })),
      )) as [RgbImage, RgbImage, RgbImage];
      const one = await swap(studio, [], target);
      const two = await swap(studio, [desk], target);
      const toBoth = async (result: SwapImageResult): Promise<number> =>
        (await distanceTo(studio, result)) + (await distanceTo(desk, result));
      assert.ok((await toBoth(two)) < (await toBoth(one)), `${await toBoth(two)} from ${await toBoth(one)}`);
    },
  );
});
