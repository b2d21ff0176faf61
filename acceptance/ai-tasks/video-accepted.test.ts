/** `/api/ai-tasks/video`: what is answered with 200. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { probeVideo } from '@guise/media/clip/probe.ts';
import type { VideoProbe } from '@guise/media/video/video-types.ts';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import type { File } from './client.ts';
import {
  clip,
  download,
  faceClip,
  newVideoClient,
  skipWithoutVideo,
  swapVideo,
  untilScratchHoldsAPart,
  untilScratchIsEmpty,
  VIDEO,
  videoClient,
} from './clip-setup.ts';
import { body as portrait, MIB, noFace, service, UUID } from './photo-setup.ts';

async function probeBytes(bytes: Buffer): Promise<VideoProbe> {
  const file = path.join(service.dataDir, 'downloaded');
  await writeFile(file, bytes);
  return probeVideo(file);
}

async function fromFixture(name: string): Promise<File> {
  return { bytes: await readFile(fixture(name)), name: path.basename(name), type: 'video/mp4' };
}

describe('200', { skip: skipWithoutVideo }, () => {
  test('a POST answers price and quality, and the task delivers an MP4 with its length and a receipt', async () => {
    const target = await faceClip({ frames: 10, framesPerSecond: 10 });
    const accepted = await videoClient.post(swapVideo(target, [['preserveScene', 'true']]));
    const { taskId } = accepted.body;
    assert.match(taskId, UUID);
    assert.deepEqual(accepted.body, {
      taskId,
      status: 'PENDING',
      requiredCredits: 6,
      quality: '1080p',
    });
    const task = await videoClient.untilTerminal(taskId);
    assert.deepEqual([task.taskType, task.status, task.costCredits], ['VIDEO_SWAP', 'COMPLETED', 6]);
    const { sourceImage, targetVideo, ...fields } = task.parameters;
    assert.deepEqual(fields, {
      quality: '1080p',
      preserveScene: true,
      faceRestoreVisibility: 0.85,
      restoreVisibility: 0.7,
    });
    assert.equal(sourceImage.bytes, portrait.length);
    assert.deepEqual(targetVideo, {
      name: 'clip.mp4',
      type: 'video/mp4',
      bytes: target.bytes.length,
      width: 320,
      height: 280,
      durationSeconds: 1,
    });

    const { url, expiresAt, ...facts } = task.result.outputs[0];
    const bytes = await download(url);
    assert.ok(Date.parse(expiresAt) > Date.now());
    assert.deepEqual(facts, {
      index: 0,
      contentType: 'video/mp4',
      width: 320,
      height: 280,
      bytes: bytes.length,
      durationSeconds: 1,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    assert.deepEqual(task.result.failures, []);
    const { frames, credits, identitySimilarity } = task.result.receipt;
    assert.deepEqual(frames, { total: 10, swapped: 10, bridged: 0, passedThrough: 0 });
    assert.equal(credits, 6);
    assert.ok(identitySimilarity >= 0 && identitySimilarity <= 1);
    await untilScratchIsEmpty();
  });

  test('a WebM gives a WebM, a MOV an MP4', async () => {
    for (const [container, type, given] of [
      ['webm', 'video/webm', 'webm'],
      ['mov', 'video/quicktime', 'mp4'],
    ] as const) {
      const target = await faceClip({ container, frames: 6, framesPerSecond: 10 });
      const task = await videoClient.run(swapVideo(target, [['quality', '720p']]));
      assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
      assert.equal(task.parameters.targetVideo.type, type);
      const [output] = task.result.outputs;
      assert.equal(output.contentType, `video/${given}`);
      assert.equal((await probeBytes(await download(output.url))).container, given);
    }
  });

  test('2 credits a started second, at least 6, whatever the quality', async () => {
    for (const [frames, framesPerSecond, credits] of [
      [2, 2, 6],
      [6, 2, 6],
      [7, 2, 8],
      [8, 2, 8],
      [300, 1, 600],
    ] as const) {
      const target = await clip({ frames, framesPerSecond });
      for (const quality of frames === 7 ? ['720p', '1080p'] : ['720p']) {
        const { status, body: quote } = await videoClient.post(swapVideo(target, [['quality', quality]]), {
          query: '?dryRun=true',
        });
        assert.deepEqual([status, quote.requiredCredits], [200, credits], JSON.stringify(quote));
      }
    }
  });

  test('a dry run shows the faces of the source image, needs no credits and leaves nothing', async () => {
    const poor = await newVideoClient({ credits: 0 });
    const target = await clip({ frames: 10, framesPerSecond: 10 });
    const { status, body: quote } = await poor.post(swapVideo(target), { query: '?dryRun=true' });
    assert.equal(status, 200, JSON.stringify(quote));
    assert.deepEqual(Object.keys(quote).sort(), ['dryRun', 'faces', 'requiredCredits', 'warnings']);
    assert.deepEqual(Object.keys(quote.faces), ['sourceImage']);
    assert.equal(quote.faces.sourceImage.length, 1);
    const refused = await poor.post(swapVideo(target));
    assert.deepEqual([refused.status, refused.body.required, refused.body.available], [402, 6, 0]);
    await untilScratchIsEmpty();
  });

  test('a video, or a source, without a face ends FAILED, says which, and costs nothing', async () => {
    const without = await clip({ frames: 10, framesPerSecond: 10 });
    for (const [fields, message] of [
      [swapVideo(without), /target video/],
      [
        [
          ['sourceImage', { bytes: noFace }],
          ['targetVideo', await faceClip({ frames: 5, framesPerSecond: 5 })],
        ],
        /source/,
      ],
    ] as const) {
      const task = await videoClient.run(fields);
      assert.deepEqual([task.status, task.costCredits], ['FAILED', 0]);
      assert.equal(task.result.error.code, 'NO_FACE_DETECTED');
      assert.match(task.result.error.message, message);
    }
  });

  test('both files together of exactly 95 MiB are taken', async () => {
    const { bytes, ...named } = await clip({ frames: 10, framesPerSecond: 10 });
    // A box that every reader skips.
    const free = Buffer.alloc(95 * MIB - portrait.length - bytes.length);
    free.writeUInt32BE(free.length);
    free.write('free', 4);
    const target = { ...named, bytes: Buffer.concat([bytes, free]) };
    const { status, body } = await videoClient.post(swapVideo(target));
    assert.equal(status, 200, JSON.stringify(body));
    await videoClient.cancel(body.taskId);
    await untilScratchIsEmpty();
  });

  test('a running video is cancelled: its credits come back, its engine stops, no file stays', async () => {
    const own = await newVideoClient({ credits: 10 });
    const target = await faceClip({ frames: 150, framesPerSecond: 30 });
    const accepted = await own.post(swapVideo(target));
    assert.equal(accepted.body.requiredCredits, 10);
    const { taskId } = accepted.body;
    await untilScratchHoldsAPart();
    const cancelled = await own.cancel(taskId);
    assert.deepEqual([cancelled.body.status, cancelled.body.costCredits], ['CANCELLED', 0]);
    await untilScratchIsEmpty();
    assert.equal((await own.get(taskId)).body.status, 'CANCELLED');
    const again = await own.post(swapVideo(target));
    assert.equal(again.status, 200, 'all 10 are there again');
    await own.cancel(again.body.taskId);
  });

  test('the paths of other workflows do not know a video task', async () => {
    const { body } = await videoClient.post(swapVideo(await clip({ frames: 5, framesPerSecond: 5 })));
    for (const other of ['/api/ai-tasks', '/api/ai-tasks/gif']) {
      assert.equal((await videoClient.at(other).get(body.taskId)).status, 404);
    }
    assert.equal((await videoClient.at(VIDEO).cancel(body.taskId)).status, 200);
  });
});

test(
  'a clip that a phone stored on its side comes out upright, at most 720 pixels on its short side',
  { skip: skipWithoutVideo || skipWithoutFixtures },
  async () => {
    const target = await fromFixture('video/v24_phone_rotated90.mov');
    const task = await videoClient.run(
      swapVideo(target, [
        ['quality', '720p'],
        ['endSeconds', '2'],
      ]),
    );
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    const { targetVideo } = task.parameters;
    assert.deepEqual([targetVideo.width, targetVideo.height], [1080, 1920]);
    const [output] = task.result.outputs;
    assert.deepEqual([output.width, output.height], [720, 1280]);
    const probe = await probeBytes(await download(output.url));
    assert.deepEqual([probe.rotation, probe.width, probe.height, probe.audioCodec], [0, 720, 1280, 'aac']);
    assert.deepEqual([task.costCredits, task.result.receipt.frames.passedThrough], [6, 0]);
  },
);
