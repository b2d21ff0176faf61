import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import type { Face } from '../face/geometry/face.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { embeddingDistance } from '../face/detect/embedding-distance.ts';
import { engine } from './testing/test-engine.ts';

const samples = await readSampleFaces();
const face = await decode(samples.face);
const body = await decode(samples.body);

async function decode(input: Buffer | string): Promise<RgbImage> {
  const { data, info } = await sharp(input)
    .rotate()
    .removeAlpha()
    .toColourspace('srgb')
    .resize(1200, 1200, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

const full = { faceRestoreVisibility: 1, restoreVisibility: 1 };

describe('the generated sample faces', () => {
  test('a swap shows the source: nearer to it than the target was, and says how near', async () => {
    const result = await engine.swapImage({ source: face, target: body, restore: full });
    const [sourceFace] = await engine.detect(face);
    const [targetFace] = await engine.detect(body);
    const source = await engine.analyser.embed(face, sourceFace!);
    const [swapped] = await engine.detect(result.image);
    const reached = embeddingDistance(source, await engine.analyser.embed(result.image, swapped!));
    const before = embeddingDistance(source, await engine.analyser.embed(body, targetFace!));
    assert.ok(reached < before, `${reached} from ${before}`);
    const identity = await result.measureIdentity();
    assert.ok(identity !== null && identity > 0.3);
    assert.equal(result.facesFound, 1);
    assert.equal(result.swappedFaceIndex, 0);
  });

  test('a source that went into another target before gives the same picture as a new one', async () => {
    const { faces: sourceFaces } = await engine.analyseSource(face);
    const again = { source: face, sourceFaces, target: body, restore: full };
    const first = await engine.swapImage(again);
    // Its atlas is small, and must not be reused for the next swap.
    await engine.swapImage({ ...again, target: face });
    const second = await engine.swapImage(again);
    const fresh = await engine.swapImage({ source: face, target: body, restore: full });
    for (const { image } of [second, fresh]) {
      assert.ok(Buffer.from(image.data).equals(Buffer.from(first.image.data)));
    }
    assert.equal(await second.measureIdentity(), await fresh.measureIdentity());
  });

  test('swaps that overlap give the same pictures as one after the other', async () => {
    const there = { source: face, target: body, restore: full };
    const back = { source: body, target: face, restore: full };
    const alone = [await engine.swapImage(there), await engine.swapImage(back)];
    const together = await Promise.all([engine.swapImage(there), engine.swapImage(back)]);
    for (const [k, { image }] of together.entries())
      assert.ok(Buffer.from(image.data).equals(alone[k]!.image.data));
  });

  test("pixels outside the target's face mesh are bit-identical, and the inputs are not touched", async () => {
    const untouched = body.data.slice();
    const { image } = await engine.swapImage({ source: face, target: body, restore: full });
    assert.ok(Buffer.from(body.data).equals(untouched));
    const [targetFace] = await engine.detect(body);
    const inside = await coverage(targetFace!, body);
    let changed = 0;
    for (let i = 0; i < image.data.length; i++) {
      if (image.data[i] === body.data[i]) continue;
      changed += 1;
      assert.equal(inside[Math.floor(i / 3)], 1);
    }
    assert.ok(changed > 300);
  });

  test('faults are looked for unless faceRestoreVisibility is 0, or the face is tiny', async () => {
    const stepsOf = async (target: RgbImage, faceRestoreVisibility: number): Promise<string[]> => {
      const restore = { faceRestoreVisibility, restoreVisibility: 1 };
      return Object.keys((await engine.swapImage({ source: face, target, restore })).timingsMs);
    };
    assert.ok((await stepsOf(face, 1)).includes('mend'));
    assert.ok(!(await stepsOf(face, 0)).includes('mend'));
    const [{ box }] = (await engine.detect(face)) as [Face];
    const width = Math.round((40 * face.width) / Math.max(box.width, box.height));
    const tiny = await sharp(Buffer.from(face.data), {
      raw: { width: face.width, height: face.height, channels: 3 },
    })
      .resize(width)
      .extend({ right: 300, bottom: 300, background: '#888' })
      .png()
      .toBuffer();
    assert.ok(!(await stepsOf(await decode(tiny), 1)).includes('mend'));
  });

  test('the same swap gives the same bytes', async () => {
    const first = await engine.swapImage({ source: body, target: face, restore: full });
    const second = await engine.swapImage({ source: body, target: face, restore: full });
    assert.ok(Buffer.from(first.image.data).equals(second.image.data));
  });

  for (const [name, at] of [
    ['faceRestoreVisibility', (value: number) => ({ faceRestoreVisibility: value, restoreVisibility: 1 })],
    ['restoreVisibility', (value: number) => ({ faceRestoreVisibility: 1, restoreVisibility: value })],
  ] as const) {
    test(`${name} is visible from 0 to 1 and grows smoothly`, async () => {
      const images: RgbImage[] = [];
      for (const value of [0, 0.05, 0.5, 1]) {
        images.push((await engine.swapImage({ source: body, target: face, restore: at(value) })).image);
      }
      const [off, little, half, all] = images.map((image) => difference(image, images[0]!)) as [
        number,
        number,
        number,
        number,
      ];
      assert.equal(off, 0);
      assert.ok(all > 0.05, `${all}`);
      assert.ok(little < 0.25 * all + 0.05, `${little} of ${all}`);
      assert.ok(half > little && half < all, `${little}, ${half}, ${all}`);
    });
  }
});

describe('images that cannot be swapped', () => {
  const blank = { data: new Uint8Array(300 * 200 * 3).fill(128), width: 300, height: 200 };

  test('no face in the source', async () => {
    await assert.rejects(
      engine.swapImage({ source: blank, target: face, restore: full }),
      new TaskFailure('NO_FACE_DETECTED', 'No face was found in the source image.'),
    );
  });

  test('no face in the target', async () => {
    await assert.rejects(
      engine.swapImage({ source: face, target: blank, restore: full }),
      new TaskFailure('NO_FACE_DETECTED', 'No face was found in the target image.'),
    );
  });

  test('a faceIndex that no face has', async () => {
    await assert.rejects(
      engine.swapImage({ source: face, target: body, restore: full, faceIndex: 7 }),
      (error: unknown) => error instanceof TaskFailure && error.code === 'FACE_NOT_FOUND',
    );
  });

  test("an aborted swap throws the signal's reason", async () => {
    const reason = new Error('cancelled');
    await assert.rejects(
      engine.swapImage({ source: face, target: body, restore: full, signal: AbortSignal.abort(reason) }),
      reason,
    );
  });
});

describe('real portraits', { skip: skipWithoutFixtures }, () => {
  const pairs = [
    ['p15a_torres_studio.jpg', 'p63_ride_nasa.jpg'],
    ['p44_chang.jpg', 'p21_austin_tilted.jpg'],
    ['p01_collins_astronaut.png', 'p14_miatta_darkskin.png'],
  ] as const;
  for (const [sourceFile, targetFile] of pairs) {
    test(`${sourceFile} on ${targetFile} is recognised as the source`, async () => {
      const source = await decode(fixture(`portraits/${sourceFile}`));
      const target = await decode(fixture(`portraits/${targetFile}`));
      const { image } = await engine.swapImage({ source, target, restore: full });
      const [sourceFace] = await engine.detect(source);
      const [targetFace] = await engine.detect(target);
      const [swapped] = await engine.detect(image);
      const reached = await engine.analyser.embed(image, swapped!);
      const toSource = embeddingDistance(reached, await engine.analyser.embed(source, sourceFace!));
      const toTarget = embeddingDistance(reached, await engine.analyser.embed(target, targetFace!));
      assert.ok(
        toSource < 0.55 && toTarget > toSource,
        `${toSource} to the source, ${toTarget} to the target`,
      );
      assert.ok(Math.abs(swapped!.pose.yaw - targetFace!.pose.yaw) < 8);
    });
  }

  test('a black-and-white target stays black-and-white', async () => {
    const source = await decode(fixture('portraits/p63_ride_nasa.jpg'));
    const target = await decode(fixture('portraits/p25_korenfeld_bw.jpg'));
    const { image } = await engine.swapImage({ source, target, restore: full });
    for (let i = 0; i < image.data.length; i += 3) {
      // The photo itself is tinted by (-1, 0, 2).
      const green = image.data[i + 1]!;
      assert.ok(Math.abs(image.data[i]! - green) < 4 && Math.abs(image.data[i + 2]! - green) < 4);
    }
  });

  test('a face of 55 pixels is swapped too', async () => {
    const source = await decode(fixture('portraits/p63_ride_nasa.jpg'));
    const target = await decode(fixture('odd/o20_hopper.bmp').replace(/bmp$/, 'webp'));
    const { facesFound } = await engine.swapImage({ source, target, restore: full });
    assert.equal(facesFound, 1);
  });
});

/** Returns a mask that is 1 for the pixels that the face's mesh covers. */
async function coverage(found: Face, image: RgbImage): Promise<Uint8Array> {
  const { triangles } = await loadCanonicalFace();
  const points = Float32Array.from({ length: 468 * 2 }, (_, i) => found.landmarks[3 * (i >> 1) + (i & 1)]!);
  const spans = triangleSpans(points, triangles, image.width, image.height);
  const inside = new Uint8Array(image.width * image.height);
  for (let run = 0; run < spans.row.length; run++) {
    const start = spans.row[run]! * image.width;
    inside.fill(1, start + spans.left[run]!, start + spans.right[run]!);
  }
  return inside;
}

/** Returns the mean absolute difference per sample. */
function difference(a: RgbImage, b: RgbImage): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i]! - b.data[i]!);
  return sum / a.data.length;
}
