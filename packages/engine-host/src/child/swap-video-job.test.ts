import type { ClipOutputFormat } from '@guise/contract/formats.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { markMoving } from '@guise/media/provenance/mark-moving.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { SWAP_PROVENANCE, TRAINED_ALGORITHMIC_MEDIA } from '@guise/media/xmp/xmp.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import type { FrameProgress } from '@guise/contract/work.ts';
import type { SwapVideoOutcome } from '../protocol/engine-job.ts';
import { createJobTools } from './job-tools.ts';
import { runJob } from './run-job.ts';
import { SWAP_CLAIM } from '../parent/swap-claim.ts';
import { engine } from '@guise/engine/pipeline/testing/test-engine.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-swap-video-job-'));
const inDir = (name: string): string => path.join(dir, name);
const identity = await loadSigningIdentity(await ensureSigningFiles(inDir('signing')));
const signer = createManifestSigner(identity, SWAP_CLAIM);
after(() => rm(dir, { recursive: true, force: true }));

const { face, body } = await readSampleFaces();
const sourcePath = inDir('source.jpg');
await writeFile(sourcePath, body);

const dot = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();

function ignoreProgress(_progress: number, _frames?: FrameProgress): void {}

async function swap(
  targetPath: string,
  container: ClipOutputFormat,
  { signal = new AbortController().signal, onProgress = ignoreProgress } = {},
): Promise<SwapVideoOutcome & { readonly outputPath: string }> {
  const outputPath = inDir(`${path.parse(targetPath).name}-out.${container}`);
  const job = {
    kind: 'swap-video',
    sourcePath,
    targetPath,
    outputPath,
    container,
    options: {
      restore: { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 },
      size: container === 'gif' ? {} : { maxShortSide: 360 },
    },
    maxPixels: 10_000_000,
  } as const;
  const outcome = await runJob(createJobTools(engine), job, {
    signal,
    signer,
    onProgress,
  });
  return { ...(outcome as SwapVideoOutcome), outputPath };
}

/**
 * The sample face, wandering: on machines without fixtures too.
 * @param scale size of the pictures, 1 for 320 x 280
 */
async function wanderingGif(
  name: string,
  frames: number,
  isThere = (_frame: number) => true,
  scale = 1,
): Promise<string> {
  const [width, height] = [320 * scale, 280 * scale];
  const input = await sharp(face)
    .resize(256 * scale)
    .toBuffer();
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp({ create: { width, height, channels: 3, background: '#567' } })
        // Somewhere the frames differ, or they would be one.
        .composite([
          isThere(i)
            ? { input, left: Math.round((10 + ((4 * i) % 40)) * scale), top: 10 * scale }
            : { input: dot, left: i, top: 0 },
        ])
        .png()
        .toBuffer(),
    ),
  );
  const file = inDir(name);
  await sharp(pictures, { join: { animated: true } })
    .gif({ delay: Array.from({ length: frames }, () => 80), loop: 2 })
    .toFile(file);
  return file;
}

test('a GIF keeps size, delays and loops, carries its mark, and progress rises to the end', async () => {
  const target = await wanderingGif('wander.gif', 8);
  const seen: number[] = [];
  const outcome = await swap(target, 'gif', { onProgress: (progress) => seen.push(progress) });
  assert.deepEqual(outcome.frames, { total: 8, swapped: 8, bridged: 0, passedThrough: 0 });
  assert.deepEqual([outcome.contentType, outcome.width, outcome.height], ['image/gif', 320, 280]);
  const { delay, loop, pages } = await sharp(outcome.outputPath).metadata();
  assert.deepEqual([pages, loop, delay], [8, 2, Array.from({ length: 8 }, () => 80)]);
  const bytes = await readFile(outcome.outputPath);
  assert.deepEqual(
    [outcome.sizeBytes, outcome.sha256],
    [bytes.length, createHash('sha256').update(bytes).digest('hex')],
  );
  const { xmp, c2pa } = await verifyFile(outcome.outputPath, 'image/gif', {
    trustAnchorsPem: identity.trustAnchorPem,
  });
  assert.deepEqual([xmp, c2pa?.trusted], [SWAP_PROVENANCE, true]);
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  );
  assert.ok(seen.at(-1)! > 0.99);
});

test('a result of a generated GIF says that it is generated', async () => {
  const target = await wanderingGif('generated.gif', 3);
  await markMoving(target, 'image/gif', signer, { digitalSourceType: TRAINED_ALGORITHMIC_MEDIA });
  const { outputPath } = await swap(target, 'gif');
  const { xmp, c2pa } = await verifyFile(outputPath, 'image/gif');
  assert.deepEqual(
    [xmp?.digitalSourceType, c2pa?.digitalSourceType, c2pa?.valid],
    [TRAINED_ALGORITHMIC_MEDIA, TRAINED_ALGORITHMIC_MEDIA, true],
  );
});

test('the frames written are counted, never backwards, out of all there are', async () => {
  const target = await wanderingGif('counted.gif', 8);
  const seen: FrameProgress[] = [];
  await swap(target, 'gif', { onProgress: (_, frames) => void (frames && seen.push(frames)) });
  assert.deepEqual([...new Set(seen.map(({ total }) => total))], [8]);
  const done = seen.map((each) => each.done);
  assert.deepEqual(
    done,
    done.toSorted((a, b) => a - b),
  );
  // Their number is reported before the first is written.
  assert.equal(done[0], 0);
  assert.equal(done.at(-1), 8);
});

test('a clip without a face is refused before its frames are gone through', async () => {
  const target = await wanderingGif('faceless.gif', 70, () => false, 0.5);
  let most = 0;
  const refused = swap(target, 'gif', { onProgress: (progress) => (most = Math.max(most, progress)) });
  await assert.rejects(refused, {
    code: 'NO_FACE_DETECTED',
    message: 'No face was found in the target GIF.',
  });
  assert.ok(most < 0.3, `${most} of it was written`);
});

test('a face that comes late and goes soon is swapped', async () => {
  const target = await wanderingGif('late.gif', 70, (frame) => frame >= 48 && frame < 54, 0.5);
  const { frames } = await swap(target, 'gif');
  assert.equal(frames.total, 70);
  assert.ok(frames.swapped >= 4 && frames.swapped <= 8, `${frames.swapped} swapped`);
});

test('an aborted job stops and leaves no file behind', async () => {
  const target = await wanderingGif('abort.gif', 8);
  const abort = new AbortController();
  const reason = new Error('cancelled');
  const running = swap(target, 'gif', {
    signal: abort.signal,
    onProgress: (progress) => {
      if (progress > 0.4) abort.abort(reason);
    },
  });
  await assert.rejects(running, (error) => error === reason);
  assert.deepEqual(
    (await readdir(dir)).filter((name) => name.startsWith('abort-out')),
    [],
  );
});

const av = await loadNodeAv();
const skipWithoutVideo = av === null ? 'node-av is not installed' : false;

test(
  'a WebM of odd sides becomes an MP4 of even ones, every frame swapped',
  { skip: skipWithoutVideo },
  async () => {
    const [plain, target] = [inDir('plain.webm'), inDir('odd.webm')];
    const ticks = Array.from({ length: 10 }, (_, index) => index * 40);
    const clip = {
      container: 'webm',
      width: 321,
      height: 281,
      ticks,
      timeBase: { num: 1, den: 1000 },
    } as const;
    await makeClip(av!, plain, clip);
    const data = await sharp(face).removeAlpha().raw().toBuffer();
    await processVideo({
      inputPath: plain,
      outputPath: target,
      container: 'webm',
      onFrame: (frame) =>
        frame.commitRgb(
          { x: 20 + frame.index, y: 12, width: 256, height: 256 },
          { data, width: 256, height: 256 },
        ),
    });
    const outcome = await swap(target, 'mp4');
    assert.deepEqual([outcome.width, outcome.height], [320, 280]);
    assert.deepEqual([outcome.frames.total, outcome.frames.swapped], [10, 10]);
  },
);

test('a video of ten minutes is looked at to its end', { skip: skipWithoutVideo }, async () => {
  const target = inDir('long.mp4');
  const ticks = Array.from({ length: 30 }, (_, index) => index * 20);
  await makeClip(av!, target, {
    container: 'mp4',
    width: 64,
    height: 64,
    ticks,
    timeBase: { num: 1, den: 1 },
  });
  await assert.rejects(swap(target, 'mov'), { code: 'NO_FACE_DETECTED' });
});

test('a damaged file fails with DECODE_FAILED, one without pictures too', async () => {
  const target = inDir('damaged.mp4');
  await writeFile(target, 'no film at all');
  await assert.rejects(swap(target, 'mp4'), { code: 'DECODE_FAILED' });
});

test('a video without a face fails with NO_FACE_DETECTED', { skip: skipWithoutFixtures }, async () => {
  const failure = { code: 'NO_FACE_DETECTED', message: 'No face was found in the target video.' };
  await assert.rejects(swap(fixture('video/v37_earth_no_face.mp4'), 'mp4'), failure);
  await assert.rejects(swap(fixture('video/v38_earth_no_face.webm'), 'webm'), failure);
});

test(
  'a video stored on its side comes out upright and swapped, its sound as it was',
  { skip: skipWithoutFixtures },
  async () => {
    const outcome = await swap(fixture('video/v24_phone_rotated90.mov'), 'mp4');
    assert.ok(outcome.height > outcome.width);
    assert.equal(outcome.frames.swapped, outcome.frames.total);
    assert.equal(outcome.audio, 'copied');
    const probe = await probeVideo(outcome.outputPath);
    assert.deepEqual([probe.rotation, probe.width, probe.height, probe.audioCodec], [0, 360, 640, 'aac']);
  },
);

test(
  'a WebM becomes a MOV, its sound encoded again, its credentials valid',
  { skip: skipWithoutFixtures },
  async () => {
    const target = fixture('video/v22_talk_vp9_opus.webm');
    const outcome = await swap(target, 'mov');
    assert.deepEqual([outcome.contentType, outcome.audio], ['video/quicktime', 'encoded']);
    const probe = await probeVideo(outcome.outputPath);
    assert.deepEqual([probe.container, probe.videoCodec, probe.audioCodec], ['mov', 'h264', 'aac']);
    const { c2pa } = await verifyFile(outcome.outputPath, 'video/quicktime', {
      trustAnchorsPem: identity.trustAnchorPem,
    });
    assert.equal(c2pa?.trusted, true);
  },
);
