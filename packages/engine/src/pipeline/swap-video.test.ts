import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { RgbaFrame } from '@guise/media/gif/rgba-frame.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { boxOfPoints, intersectionOverUnion } from '../face/geometry/box.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { swapFrames, type VideoSwap } from './swap-video.ts';
import { engine } from './testing/test-engine.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-swap-video-'));
after(() => rm(dir, { recursive: true, force: true }));

const WIDTH = 400;
const HEIGHT = 300;
const RATE = 12;
const RESTORE = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
const { face, body } = await readSampleFaces();

async function rgb(image: Buffer): Promise<RgbImage> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

/**
 * Makes an RGBA clip of the sample face on grey: it wanders, grows, and is absent in the frames for
 * which `isAway` is true.
 */
async function syntheticClip(frames: number, isAway: (frame: number) => boolean): Promise<Uint8Array[]> {
  const clip: Uint8Array[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const side = 190 + 2 * frame;
    const picture = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 4, background: '#777' } });
    const overlay = {
      input: await sharp(face).resize(side, side).toBuffer(),
      left: 20 + 3 * frame,
      top: 15 + frame,
    };
    clip.push(
      new Uint8Array(
        await picture
          .composite(isAway(frame) ? [] : [overlay])
          .raw()
          .toBuffer(),
      ),
    );
  }
  return clip;
}

const frameOf = (rgba: Uint8Array, index: number): RgbaFrame =>
  new RgbaFrame(rgba, WIDTH, HEIGHT, index, index / RATE);

async function run(clip: readonly Uint8Array[]): Promise<VideoSwap> {
  const swap = await engine.openVideoSwap({
    source: await rgb(body),
    targetName: 'target video',
    restore: RESTORE,
  });
  passes = 0;
  const swapped = await swapFrames(swap, async ({ ahead, onFrame }) => {
    passes += 1;
    const pictures = clip.map((rgba) => rgba.slice());
    const frames = pictures.map(frameOf);
    let drawn = 0;
    for (const [seen, frame] of frames.entries()) {
      await ahead?.onFrame(frame);
      const isEnough = (): boolean =>
        !ahead || ahead.isEnough(seen - drawn, frame.timeSeconds - frames[drawn]!.timeSeconds);
      while (drawn <= seen && isEnough()) await onFrame(frames[drawn++]!);
    }
    for (const frame of frames.slice(drawn)) await onFrame(frame);
    return pictures;
  });
  for (const [index, rgba] of swapped.entries()) clip[index]!.set(rgba);
  return swap;
}

/** Number of passes of the last `run`. */
let passes = 0;

function changedPixels(before: Uint8Array, after: Uint8Array): number {
  let changed = 0;
  for (let i = 0; i < before.length; i += 4)
    if (before[i] !== after[i] || before[i + 1] !== after[i + 1]) changed += 1;
  return changed;
}

test('a face that moves is replaced in every frame, and nothing else is', async () => {
  const clip = await syntheticClip(14, () => false);
  const before = clip.map((frame) => frame.slice());
  const { facesFound, frames, identitySimilarity, longestGapFrames } = (await run(clip)).receipt();
  assert.deepEqual(
    [facesFound, frames, longestGapFrames],
    [1, { total: 14, swapped: 14, bridged: 0, passedThrough: 0 }, 0],
  );
  assert.ok(identitySimilarity !== null && identitySimilarity > 0.2);
  assert.equal(passes, 1);
  for (const [index, frame] of clip.entries()) {
    assert.ok(changedPixels(before[index]!, frame) > 4000, `frame ${index} has the new face`);
    const side = 190 + 2 * index;
    for (let i = 0; i < frame.length; i += 4) {
      const x = (i / 4) % WIDTH;
      const y = Math.floor(i / 4 / WIDTH);
      const isInside =
        x >= 20 + 3 * index && x < 20 + 3 * index + side && y >= 15 + index && y < 15 + index + side;
      if (!isInside) assert.equal(frame[i], before[index]![i], 'outside the person nothing changes');
    }
  }
});

test('a face that is gone for long passes through, and the gap is counted', async () => {
  const clip = await syntheticClip(24, (frame) => frame >= 8 && frame < 16);
  const before = clip.map((frame) => frame.slice());
  const { frames, longestGapFrames } = (await run(clip)).receipt();
  assert.equal(frames.swapped + frames.passedThrough, 24);
  assert.ok(longestGapFrames >= 8 && longestGapFrames <= 11, `a gap of ${longestGapFrames}`);
  for (let frame = 8; frame < 16; frame++) assert.deepEqual(clip[frame], before[frame]);
});

test('a clip without a face fails with NO_FACE_DETECTED', async () => {
  const clip = await syntheticClip(4, () => true);
  await assert.rejects(run(clip), {
    code: 'NO_FACE_DETECTED',
    message: 'No face was found in the target video.',
  });
});

test('of two people exactly one changes, the same throughout', { skip: skipWithoutFixtures }, async () => {
  const swap = await engine.openVideoSwap({
    source: await rgb(face),
    targetName: 'target video',
    restore: RESTORE,
  });
  let frames = 0;
  await swapFrames(swap, (hooks) =>
    processVideo({
      inputPath: fixture('video/v20_two_faces_side_by_side_audio.mp4'),
      outputPath: path.join(dir, 'two.mp4'),
      container: 'mp4',
      maxShortSide: 360,
      ...hooks,
      onFrame: async (frame) => {
        const all = { x: 0, y: 0, width: frame.width, height: frame.height };
        const before = frame.rgb(all);
        await hooks.onFrame(frame);
        const after = frame.rgb(all);
        const changed = [0, 0];
        for (let i = 0; i < before.data.length; i += 3) {
          if (Math.abs(before.data[i]! - after.data[i]!) > 3)
            changed[(i / 3) % frame.width < frame.width / 2 ? 0 : 1]! += 1;
        }
        assert.ok(changed[0]! > 500, 'the person on the left has the new face');
        assert.equal(changed[1], 0, 'the person on the right has not');
        frames += 1;
      },
    }),
  );
  assert.equal(swap.receipt().facesFound, 2);
  assert.equal(swap.receipt().frames.swapped, frames);
});

test('whom the clip is about may turn out late: then all frames are drawn once more', async () => {
  const person = await sharp(face).resize(200).toBuffer();
  const other = await sharp(body)
    .extract({ left: 440, top: 0, width: 300, height: 300 })
    .resize(110)
    .toBuffer();
  const picture = async (isFirstScene: boolean): Promise<Uint8Array> =>
    new Uint8Array(
      await sharp({
        create: { width: WIDTH, height: HEIGHT, channels: 4, background: isFirstScene ? '#777' : '#235' },
      })
        .composite([
          isFirstScene ? { input: other, left: 20, top: 60 } : { input: person, left: 180, top: 40 },
        ])
        .raw()
        .toBuffer(),
    );
  const [first, second] = [await picture(true), await picture(false)];
  const clip = Array.from({ length: 40 }, (_, frame) => (frame < 20 ? first : second).slice());
  const { facesFound, frames } = (await run(clip)).receipt();
  assert.deepEqual([passes, facesFound], [2, 2]);
  assert.deepEqual(frames, { total: 40, swapped: 20, bridged: 0, passedThrough: 20 });
  for (const [index, frame] of clip.entries()) {
    const changed = changedPixels(index < 20 ? first : second, frame);
    assert.ok(index < 20 ? changed === 0 : changed > 3000, `frame ${index}: ${changed}`);
  }
});

test('the new face lies where the old one lay', async () => {
  const clip = await syntheticClip(4, () => false);
  const [before] = await engine.detect(wholeFrame(clip[2]!));
  await run(clip);
  const [after] = await engine.detect(wholeFrame(clip[2]!));
  const overlap = intersectionOverUnion(
    boxOfPoints(before!.landmarks, 468),
    boxOfPoints(after!.landmarks, 468),
  );
  assert.ok(overlap > 0.85, `the boxes overlap by ${overlap}`);
});

function wholeFrame(rgba: Uint8Array): RgbImage {
  return frameOf(rgba, 0).rgb({ x: 0, y: 0, width: WIDTH, height: HEIGHT });
}
