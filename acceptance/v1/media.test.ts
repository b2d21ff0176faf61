import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { assertV1Error } from './client.ts';
import { client, source, target, webUrl } from './setup.ts';

/**
 * What may be given as media: the limits of videos and of what is fetched, and every image format.
 */

const av = await loadNodeAv();
const skip = av === null && 'node-av is not installed';
const dir = await mkdtemp(path.join(tmpdir(), 'guise-v1-media-'));
after(() => rm(dir, { recursive: true, force: true }));

interface Clip {
  readonly width?: number;
  readonly height?: number;
  readonly frames?: number;
  readonly framesPerSecond?: number;
}

/** An MP4 in base64. */
async function clip({ width = 64, height = 64, frames = 1, framesPerSecond = 25 }: Clip): Promise<string> {
  const file = path.join(dir, 'clip.mp4');
  const ticks = Array.from({ length: frames }, (_, index) => index);
  const timeBase = { num: 1, den: framesPerSecond };
  await makeClip(av!, file, { container: 'mp4', width, height, ticks, timeBase });
  return (await readFile(file)).toString('base64');
}

const VIDEO_LIMITS: readonly [name: string, most: Clip, above: Clip, code: string, details: object][] = [
  [
    'ten minutes',
    { frames: 600, framesPerSecond: 1 },
    { frames: 601, framesPerSecond: 1 },
    'VIDEO_TOO_LONG',
    { limit: 600 },
  ],
  ['4096 pixels on the long side', { width: 4096 }, { width: 4098 }, 'RESOLUTION_TOO_HIGH', { limit: 4096 }],
  [
    '2304 pixels on the short side',
    { width: 2304, height: 2304 },
    { width: 2306, height: 2306 },
    'RESOLUTION_TOO_HIGH',
    { limit: 4096 },
  ],
  [
    '240 frames a second',
    { frames: 240, framesPerSecond: 240 },
    { frames: 241, framesPerSecond: 241 },
    'INVALID_FORMAT',
    { limit: 240 },
  ],
];

for (const [name, most, above, code, details] of VIDEO_LIMITS)
  test(`video: ${name} are the most`, { skip }, async () => {
    // A quote looks at everything and leaves no job behind.
    const quoted = await client.post(
      'video-swap',
      { source_image: source, target_video: await clip(most) },
      { query: '?dryRun=true' },
    );
    assert.equal(quoted.status, 200, JSON.stringify(quoted.body));
    const refused = await client.post('video-swap', {
      source_image: source,
      target_video: await clip(above),
    });
    assertV1Error(refused, 400, code, /^target_video (is longer|has more) than/, details);
  });

test('what a URL leads to may be as large as what is posted, and not larger', async () => {
  const image = 50 * 1024 * 1024;
  const film = 500 * 1024 * 1024;
  const large = await client.post('image-swap', {
    source_image: source,
    target_image: `${webUrl}/claims/${image + 1}`,
  });
  assertV1Error(large, 400, 'IMAGE_TOO_LARGE', /^target_image is larger than/, { limit: image });
  const endless = await client.post('image-swap', {
    source_image: `${webUrl}/endless`,
    target_image: target,
  });
  assertV1Error(endless, 400, 'IMAGE_TOO_LARGE', /^source_image is larger than/, { limit: image });
  const video = await client.post('video-swap', {
    source_image: source,
    target_video: `${webUrl}/claims/${film + 1}`,
  });
  assertV1Error(video, 400, 'VIDEO_TOO_LARGE', /^target_video is larger than/, { limit: film });
  const batch = await client.post('batch-swap', {
    source_image: source,
    target_images: [`${webUrl}/claims/${image + 1}`, `${webUrl}/endless`, `${webUrl}/face`],
  });
  const [{ results }] = await client.poll(batch.body.job_id);
  assert.deepEqual(results, [
    { index: 0, success: false, error: 'IMAGE_TOO_LARGE' },
    { index: 1, success: false, error: 'IMAGE_TOO_LARGE' },
    { index: 2, success: true, output_url: results[2].output_url },
  ]);
});

test('a posted video has at most 500 MiB', { timeout: 300_000 }, async () => {
  const most = 500 * 1024 * 1024;
  const refused = await client.call('POST', '/v1/video-swap', {
    body: ReadableStream.from(bodyWithVideo(most + 1)),
  });
  assertV1Error(refused, 400, 'VIDEO_TOO_LARGE', /^target_video is larger than/, { limit: most });
});

/** A JSON body whose video has `sizeBytes`, without ever being whole in memory. */
function* bodyWithVideo(sizeBytes: number): Iterable<Buffer> {
  yield Buffer.from(`{"source_image":"${source}","target_video":"`);
  const part = Buffer.alloc(3 * 1024 * 1024);
  const encoded = Buffer.from(part.toString('base64'));
  let left = sizeBytes;
  for (; left > part.length; left -= part.length) yield encoded;
  yield Buffer.from(`${part.subarray(0, left).toString('base64')}"}`);
}

test('every image format is read, on either side', { skip: skipWithoutFixtures }, async () => {
  for (const name of [
    'torres.heic',
    'torres.avif',
    'd26_collins.bmp',
    'o20_hopper.gif',
    'd30_talk_animated.webp',
  ]) {
    const image = (await readFile(fixture(`odd/${name}`))).toString('base64');
    const both = { source_image: image, target_image: image, output_format: 'jpg' };
    const { status, body } = await client.post('image-swap', both);
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`);
    assert.equal(body.faces_detected, 1, name);
  }
  const tiff = (await readFile(fixture('odd/o20_hopper.tif'))).toString('base64');
  const refused = await client.post('image-swap', { source_image: source, target_image: tiff });
  assertV1Error(refused, 400, 'INVALID_FORMAT', /^target_image must be a JPEG, PNG, WebP, GIF, BMP/);
});
