import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import type { FrameProgress } from '@guise/contract/work.ts';
import type { SwapVideoOrder, Task } from '../tasks/task.ts';
import {
  dir,
  ended,
  newAccount,
  read,
  realEngine,
  sample,
  startWorker,
  storage,
  storeInput,
  submitOrder,
  until,
} from './testing/worker-rig.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const FRAMES = 20;
/** Frames of a film that takes longer than the second between two looks, also on a fast machine. */
const MANY_FRAMES = 150;

/** Makes a clip of the sample face, drifting over 480 x 420, one frame a 25th of a second. */
async function faceClip(frames: number): Promise<Buffer> {
  const [plain, withFace] = [path.join(dir, 'plain.mp4'), path.join(dir, 'face.mp4')];
  await makeClip(av!, plain, {
    container: 'mp4',
    width: 480,
    height: 420,
    ticks: Array.from({ length: frames }, (_, index) => index * 12),
    timeBase: { num: 1, den: 300 },
    sound: true,
  });
  const side = 384;
  const { data } = await sharp(sample.face)
    .resize(side, side)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await processVideo({
    inputPath: plain,
    outputPath: withFace,
    container: 'mp4',
    onFrame: (frame) =>
      frame.commitRgb(
        { x: 10 + (frame.index % 60), y: 20, width: side, height: side },
        { data, width: side, height: side },
      ),
  });
  return readFile(withFace);
}

async function submit(clip: Buffer, wanted: Pick<SwapVideoOrder, 'container' | 'size'>): Promise<Task> {
  const accountId = await newAccount();
  const target = await storeInput(accountId, 'target_video', clip);
  return submitOrder(accountId, 'VIDEO_SWAP', {
    kind: 'swap-video',
    source: await storeInput(accountId, 'source_image', sample.body),
    target: { ...target, contentType: 'video/mp4' },
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    ...wanted,
  });
}

test(
  'a video comes out in the container and within the long side ordered, whatever came in',
  { skip },
  async (context) => {
    startWorker(context, [await realEngine(), await realEngine()]);
    const clip = await faceClip(FRAMES);
    for (const [container, contentType, sound] of [
      ['mov', 'video/quicktime', 'aac'],
      ['webm', 'video/webm', 'opus'],
      ['mp4', 'video/mp4', 'aac'],
    ] as const) {
      const task = await ended(await submit(clip, { container, size: { maxLongSide: 320 } }));
      assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
      const [output] = task.result!.outputs;
      assert.deepEqual([output?.contentType, output?.width, output?.height], [contentType, 320, 280]);
      assert.ok(output!.objectKey.endsWith(`.${container}`), output!.objectKey);
      assert.equal(task.result?.progressFrames, undefined);
      const probe = await storage.withLocalFile(output!.objectKey, (file) => probeVideo(file));
      assert.deepEqual([probe.container, probe.audioCodec, probe.frameCount], [container, sound, FRAMES]);
    }
  },
);

const rises = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value >= values[i - 1]!);

test(
  'frames and progress of a running video are shown as they come, never backwards',
  { skip },
  async (context) => {
    startWorker(context, [await realEngine(), await realEngine()]);
    const task = await submit(await faceClip(MANY_FRAMES), { container: 'webm', size: {} });
    const frames: FrameProgress[] = [];
    const progress: number[] = [];
    await until(task, 'it ends', (now) => {
      if (now.status === 'PROCESSING' && now.result?.progressFrames) {
        frames.push(now.result.progressFrames);
        assert.deepEqual(now.result.outputs, []);
      }
      progress.push(now.progress);
      return now.status !== 'PENDING' && now.status !== 'PROCESSING';
    });
    assert.equal((await read(task))?.status, 'COMPLETED');
    assert.ok(rises(progress));
    assert.ok(rises(frames.map(({ done }) => done)));
    assert.ok(frames.length > 0, 'no frames were shown');
    for (const { done, total } of frames) assert.ok(total === MANY_FRAMES && done >= 0 && done <= total);
  },
);
