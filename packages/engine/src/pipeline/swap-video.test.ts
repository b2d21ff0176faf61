import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { RgbaFrame } from '@guise/media/gif/rgba-frame.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { boxOfPoints, intersectionOverUnion } from '../face/box.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { createEngine } from './engine.ts';
import type { VideoSwap } from './swap-video.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-swap-video-'));
const engine = await createEngine({ modelCacheDir: path.join(dir, 'models') });
after(async () => {
  await engine.close();
  await rm(dir, { recursive: true, force: true });
});

const WIDTH = 400;
const HEIGHT = 300;
const RATE = 12;
const STRENGTH = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
const { face, body } = await readSampleFaces();

async function rgb(image: Buffer): Promise<RgbImage> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

/** A clip of the sample face on grey: it wanders, grows, and is away for the frames `isAway`. RGBA. */
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
    ...STRENGTH,
  });
  for (const [index, rgba] of clip.entries()) await swap.look(frameOf(rgba, index));
  swap.choose();
  for (const [index, rgba] of clip.entries()) await swap.draw(frameOf(rgba, index));
  return swap;
}

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
  const inputPath = fixture('video/v20_two_faces_side_by_side_audio.mp4');
  const swap = await engine.openVideoSwap({
    source: await rgb(face),
    targetName: 'target video',
    ...STRENGTH,
  });
  // Every sixth frame is plenty to tell who changes.
  const options = { inputPath, maxShortSide: 360, everySeconds: 0.2 };
  await scanVideo({ ...options, onFrame: (frame) => swap.look(frame) });
  swap.choose();
  await scanVideo({
    ...options,
    onFrame: async (frame) => {
      const all = { x: 0, y: 0, width: frame.width, height: frame.height };
      const before = frame.rgb(all);
      await swap.draw(frame);
      const after = frame.rgb(all);
      const changed = [0, 0];
      for (let i = 0; i < before.data.length; i += 3) {
        if (Math.abs(before.data[i]! - after.data[i]!) > 3)
          changed[(i / 3) % frame.width < frame.width / 2 ? 0 : 1]! += 1;
      }
      assert.ok(changed[0]! > 500, 'the person on the left has the new face');
      assert.equal(changed[1], 0, 'the person on the right has not');
    },
  });
  assert.equal(swap.receipt().facesFound, 2);
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
