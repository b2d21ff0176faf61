import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import { checkV1Image, checkV1Video, type MediaFile } from './check-v1-media.ts';
import type { Requester } from './fair-limiter.ts';

const requester: Requester = { accountId: 'ann', signal: new AbortController().signal };

const av = await loadNodeAv();
const skip: string | false = av === null ? 'node-av is not installed' : false;
const dir = await mkdtemp(path.join(os.tmpdir(), 'guise-v1-media-'));
after(() => rm(dir, { recursive: true, force: true }));

interface Clip {
  readonly width?: number;
  readonly height?: number;
  readonly frames: number;
  readonly framesPerSecond: number;
  readonly container?: 'mp4' | 'mov' | 'webm';
}

let files = 0;
async function clip({
  width = 64,
  height = 64,
  frames,
  framesPerSecond,
  container = 'mp4',
}: Clip): Promise<MediaFile> {
  const file = path.join(dir, `${files++}.${container}`);
  const ticks = Array.from({ length: frames }, (_, index) => index);
  await makeClip(av!, file, { container, width, height, ticks, timeBase: { num: 1, den: framesPerSecond } });
  return { name: 'target_video', path: file, sizeBytes: (await stat(file)).size, sha256: '' };
}

test('a picture is no video, and a video is no picture', { skip }, async () => {
  const file = path.join(dir, 'picture.mp4');
  const still = sharp({ create: { width: 64, height: 64, channels: 3, background: '#777' } });
  await writeFile(file, await still.avif().toBuffer());
  const picture = { name: 'target_video', path: file, sizeBytes: (await stat(file)).size, sha256: '' };
  await assert.rejects(checkV1Video(picture, requester), {
    code: 'INVALID_FORMAT',
    message: 'target_video must be of type MP4, MOV, WebM, Matroska, AVI or MPEG-TS.',
  });
  const film = { ...(await clip({ frames: 2, framesPerSecond: 25 })), name: 'target_image' };
  await assert.rejects(checkV1Image(film, 1_000_000), {
    code: 'INVALID_FORMAT',
    message: /^target_image must be a /,
  });
});

test('ten minutes are the most', { skip }, async () => {
  const { probe } = await checkV1Video(await clip({ frames: 600, framesPerSecond: 1 }), requester);
  assert.equal(Math.round(probe.durationSeconds), 600);
  await assert.rejects(checkV1Video(await clip({ frames: 601, framesPerSecond: 1 }), requester), {
    code: 'VIDEO_TOO_LONG',
    message: /^target_video is longer than 600 seconds/,
    details: { limit: 600 },
  });
});

test('4096 x 2304 is the most, upright or lying', { skip }, async () => {
  const film = { frames: 1, framesPerSecond: 25 };
  const { input } = await checkV1Video(await clip({ ...film, width: 4096, height: 2304 }), requester);
  assert.deepEqual([input.width, input.height], [4096, 2304]);
  for (const [width, height] of [
    [4098, 64],
    [64, 4098],
    [2306, 2306],
  ]) {
    await assert.rejects(checkV1Video(await clip({ ...film, width, height }), requester), {
      code: 'RESOLUTION_TOO_HIGH',
      message: /^target_video has more than 4096 x 2304 pixels/,
    });
  }
});

test('240 frames a second are the most', { skip }, async () => {
  await checkV1Video(await clip({ frames: 480, framesPerSecond: 240 }), requester);
  await assert.rejects(checkV1Video(await clip({ frames: 480, framesPerSecond: 250 }), requester), {
    code: 'INVALID_FORMAT',
    message: /^target_video has more than 240 frames per second/,
  });
});

test('each container is known by its content', { skip }, async () => {
  for (const container of ['mp4', 'mov', 'webm'] as const) {
    const { extension } = await checkV1Video(
      await clip({ frames: 5, framesPerSecond: 25, container }),
      requester,
    );
    assert.equal(extension, container);
  }
});
