/** `/api/ai-tasks/gif`: what is answered with 200, and what is refused. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { assertError, type Fields } from './client.ts';
import {
  animation,
  clip,
  download,
  faceClip,
  gifClient,
  newGifClient,
  skipWithoutVideo,
  swapGif,
  untilScratchIsEmpty,
} from './clip-setup.ts';
import { body as portrait, face, MIB, padded, UUID } from './photo-setup.ts';

describe('200', () => {
  test('a POST answers the estimated credits, and the task delivers a GIF with its delays and a receipt', async () => {
    const target = await animation(6, 100);
    const accepted = await gifClient.post(swapGif(target));
    const { taskId } = accepted.body;
    assert.match(taskId, UUID);
    assert.deepEqual(accepted.body, { taskId, status: 'PENDING', estimatedCredits: 6 });
    const task = await gifClient.untilTerminal(taskId);
    assert.deepEqual([task.taskType, task.status, task.costCredits], ['GIF_FACE_SWAP', 'COMPLETED', 6]);
    const { sourceImage, targetGif, ...fields } = task.parameters;
    assert.deepEqual(fields, { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 });
    assert.equal(sourceImage.bytes, portrait.length);
    assert.deepEqual(targetGif, {
      name: 'nod.gif',
      type: 'image/gif',
      bytes: target.bytes.length,
      width: 320,
      height: 280,
      durationSeconds: 0.6,
    });
    const { url, expiresAt, ...facts } = task.result.outputs[0];
    const bytes = await download(url);
    assert.ok(Date.parse(expiresAt) > Date.now());
    assert.deepEqual(facts, {
      index: 0,
      contentType: 'image/gif',
      width: 320,
      height: 280,
      bytes: bytes.length,
      durationSeconds: 0.6,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const { pages, delay } = await sharp(bytes).metadata();
    assert.deepEqual([pages, delay], [6, Array.from({ length: 6 }, () => 100)]);
    const { frames } = task.result.receipt;
    assert.deepEqual(frames, { total: 6, swapped: 6, bridged: 0, passedThrough: 0 });
    await untilScratchIsEmpty();
  });

  test('an MP4 and a WebM become GIFs', { skip: skipWithoutVideo }, async () => {
    for (const container of ['mp4', 'webm'] as const) {
      const target = await faceClip({ container, frames: 6, framesPerSecond: 10 });
      const task = await gifClient.run(swapGif(target));
      assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
      assert.equal(task.parameters.targetGif.type, `video/${container}`);
      const [output] = task.result.outputs;
      assert.equal(output.contentType, 'image/gif');
      assert.equal((await sharp(await download(output.url)).metadata()).pages, 6);
    }
  });

  test('3 credits a started second, at least 6; the quote shows the faces of the source image', async () => {
    const poor = await newGifClient({ credits: 5 });
    for (const [pictures, delayMs, credits] of [
      [2, 500, 6],
      [2, 1000, 6],
      [3, 670, 9],
      [2, 15_000, 90],
    ] as const) {
      const target = await animation(pictures, delayMs, 'grey');
      const { status, body: quote } = await poor.post(swapGif(target), { query: '?dryRun=true' });
      assert.equal(status, 200, JSON.stringify(quote));
      assert.deepEqual(Object.keys(quote).sort(), ['dryRun', 'estimatedCredits', 'faces', 'warnings']);
      assert.equal(quote.estimatedCredits, credits);
      assert.deepEqual(Object.keys(quote.faces), ['sourceImage']);
      const refused = await poor.post(swapGif(target));
      assert.deepEqual([refused.status, refused.body.required, refused.body.available], [402, credits, 5]);
    }
  });

  test('a GIF without a face ends FAILED and costs nothing', async () => {
    const task = await gifClient.run(swapGif(await animation(2, 100, 'grey')));
    assert.deepEqual([task.status, task.costCredits], ['FAILED', 0]);
    assert.deepEqual(task.result.error, {
      code: 'NO_FACE_DETECTED',
      message: 'No face was found in the target GIF.',
    });
  });
});

describe('400', async () => {
  const target = await animation(2, 100, 'grey');
  const right = swapGif(target);
  const without = (name: string): Fields => right.filter(([field]) => field !== name);

  test('both files are required, fields of the video workflow are unknown', async () => {
    for (const name of ['sourceImage', 'targetGif']) {
      assertError(await gifClient.post(without(name)), 400, new RegExp(`^${name} is missing`));
    }
    for (const name of ['quality', 'preserveScene', 'targetVideo']) {
      assertError(await gifClient.post([...right, [name, 'true']]), 400, /^Unknown field/);
    }
  });

  test('restoration is from 0 to 1', async () => {
    for (const value of ['-0.01', '1.01']) {
      const answer = await gifClient.post([...right, ['restoreVisibility', value]]);
      assertError(answer, 400, /^restoreVisibility must be/);
    }
  });

  test('the target is GIF, MP4 or WebM by content', async () => {
    const webp = await sharp(face).webp().toBuffer();
    for (const bytes of [face, webp, Buffer.from('GIF89a'), Buffer.from('no picture at all')]) {
      const answer = await gifClient.post(swapGif({ bytes, name: 'x.gif', type: 'image/gif' }));
      assertError(answer, 400, /^targetGif must be of type GIF, MP4 or WebM/);
    }
    const cut = await gifClient.post(swapGif({ bytes: target.bytes.subarray(0, 20) }));
    assertError(cut, 400, /^targetGif /);
  });

  test('a MOV is not among them', { skip: skipWithoutVideo }, async () => {
    const mov = await clip({ container: 'mov', frames: 5, framesPerSecond: 5 });
    assertError(await gifClient.post(swapGif(mov)), 400, /^targetGif must be of type GIF, MP4 or WebM/);
  });

  test('30 seconds are taken, a hundredth more is not, and one picture for a minute is not either', async () => {
    for (const [pictures, delayMs] of [
      [2, 15_010],
      [1, 60_000],
    ] as const) {
      const answer = await gifClient.post(swapGif(await animation(pictures, delayMs, 'grey')));
      assertError(answer, 400, /^targetGif is longer than 30 seconds/, { code: 'VIDEO_TOO_LONG', limit: 30 });
    }
  });

  test('a film for a GIF is not longer than 30 seconds', { skip: skipWithoutVideo }, async () => {
    const answer = await gifClient.post(swapGif(await clip({ frames: 31, framesPerSecond: 1 })));
    assertError(answer, 400, /^targetGif is longer than 30 seconds/, { code: 'VIDEO_TOO_LONG', limit: 30 });
  });

  test('one byte more than 95 MiB in both files, and than 30 MiB in the image, is refused', async () => {
    const bytes = Buffer.alloc(95 * MIB - face.length + 1);
    assertError(
      await gifClient.post([
        ['sourceImage', { bytes: face }],
        ['targetGif', { bytes }],
      ]),
      400,
      /^All files together are larger than 99614720 bytes/,
      { limit: 99_614_720 },
    );
    const image = await gifClient.post([['sourceImage', { bytes: padded(30 * MIB + 1) }]]);
    assertError(image, 400, /^sourceImage is larger than 31457280 bytes/, {
      code: 'IMAGE_TOO_LARGE',
      limit: 31_457_280,
    });
  });

  test('nothing of what was refused is left', untilScratchIsEmpty);
});
