import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { ClipOutputFormat } from '@guise/contract/formats.ts';
import { engine } from '@guise/engine/pipeline/testing/test-engine.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { decodeImage } from '@guise/media/image/decode.ts';
import { drawLabel } from '@guise/media/label/draw-label.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import sharp from 'sharp';
import { BLANK_SIGNER } from '../protocol/blank-signer.ts';
import type { EngineJob, EngineOutcome, StillOutcome } from '../protocol/engine-job.ts';
import { composeClip } from '../testing/compose-clip.ts';
import { labelLikeness } from '../testing/label-likeness.ts';
import { createJobTools } from './job-tools.ts';
import { runJob } from './run-job.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const dir = await mkdtemp(path.join(tmpdir(), 'guise-label-'));
const inDir = (name: string): string => path.join(dir, name);
after(() => rm(dir, { recursive: true, force: true }));

const LIMITS = { maxPixels: 10_000_000 };
const { face, body } = await readSampleFaces();
const [sourcePath, bodyPath] = [inDir('face.jpg'), inDir('body.jpg')];
await Promise.all([writeFile(sourcePath, face), writeFile(bodyPath, body)]);
const restore = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
const tools = createJobTools(engine);

async function run<J extends EngineJob>(job: J): Promise<EngineOutcome<J>> {
  const hooks = { signal: new AbortController().signal, signer: BLANK_SIGNER, onProgress: () => {} };
  return (await runJob(tools, job, hooks)) as EngineOutcome<J>;
}

/** A picture, and what the engine says of it, without what depends on the file. */
interface Made {
  readonly rgb: Awaited<ReturnType<typeof decodeImage>>['rgb'];
  readonly alpha: Uint8Array | null;
  readonly told: Partial<StillOutcome>;
}

async function still(targetPath: string, label: boolean, shared?: 'source' | 'target'): Promise<Made> {
  const outputPath = inDir('out.png');
  const job = { kind: 'swap-image', sourcePath, targetPath, outputPath, shared, ...LIMITS } as const;
  const outcome = await run({ ...job, options: { restore, label, output: { format: 'png' } } });
  return made(outputPath, outcome);
}

async function group(targetPath: string, label: boolean): Promise<Made> {
  const { rgb } = await decodeImage(targetPath, LIMITS);
  const [found] = await engine.detect(rgb);
  const replacements = [{ name: 'targetFace0', sourcePath, box: { name: 'faceBox0', ...found!.box } }];
  const outputPath = inDir('out.png');
  const job = { kind: 'swap-group', targetPath, outputPath, replacements, ...LIMITS } as const;
  return made(outputPath, await run({ ...job, options: { restore, label, output: { format: 'png' } } }));
}

async function made(outputPath: string, outcome: StillOutcome): Promise<Made> {
  const { facesFound, identitySimilarity, swapped, thumbnail } = outcome;
  const { rgb, alpha } = await decodeImage(outputPath, LIMITS);
  return { rgb, alpha, told: { facesFound, identitySimilarity, swapped, thumbnail } };
}

function assertOnlyLabelled(labelled: Made, plain: Made): void {
  const { width, height } = plain.rgb;
  assert.deepEqual([labelled.rgb.width, labelled.rgb.height], [width, height]);
  const label = drawLabel(width, height);
  let changed = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isIn = x >= label.x && y >= label.y && x < label.x + label.width && y < label.y + label.height;
      for (const channel of [0, 1, 2]) {
        const at = 3 * (y * width + x) + channel;
        if (labelled.rgb.data[at] === plain.rgb.data[at]) continue;
        assert.ok(isIn, `${x}, ${y} is outside of the label`);
        changed += 1;
      }
    }
  assert.ok(changed > label.width * label.height, `${changed} samples`);
  const green = labelled.rgb.data.filter((_, i) => i % 3 === 1);
  assert.ok(labelLikeness({ data: green, stride: width, width, height }) > 0.999);
  assert.deepEqual(labelled.told, plain.told, 'the label is not measured');
}

test('the label is on a photo and a group photo, and every pixel beside it is the same', async () => {
  const plain = await still(bodyPath, false);
  assertOnlyLabelled(await still(bodyPath, true), plain);
  assertOnlyLabelled(await group(bodyPath, true), await group(bodyPath, false));
});

test('the label of one item of a batch is not on the next, which shares its target', async () => {
  const transparent = inDir('transparent.png');
  await sharp(face)
    .ensureAlpha()
    .extend({ right: 100, bottom: 60, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toFile(transparent);
  const alone = await still(transparent, false);
  const first = await still(transparent, true, 'target');
  const second = await still(transparent, false, 'target');
  tools.sharedImages.forget();
  assertOnlyLabelled(first, alone);
  assert.deepEqual(second, alone);
  const { width, height } = alone.rgb;
  const label = drawLabel(width, height);
  for (let i = 0; i < label.alpha.length; i++) {
    const at = (label.y + Math.floor(i / label.width)) * width + label.x + (i % label.width);
    assert.deepEqual([alone.alpha![at], first.alpha![at]], [0, label.alpha[i]], 'seen where nothing was');
  }
});

test('a tiny photo has the badge alone', async () => {
  const tiny = inDir('tiny.png');
  await sharp(face).resize(64, 64).png().toFile(tiny);
  assertOnlyLabelled(await still(tiny, true), await still(tiny, false));
});

/** Swaps a clip, and returns how like the label the corner of each of its frames is. */
async function clipLikenesses(
  targetPath: string,
  container: ClipOutputFormat,
  isMapped: boolean,
  label: boolean,
) {
  const outputPath = inDir(`out.${container}`);
  const options = { restore, label };
  const common = { targetPath, outputPath, container, options, ...LIMITS } as const;
  if (isMapped) {
    const mappings = [{ name: 'faceBox0', face: { personIndex: 0 } }];
    await run({ kind: 'swap-persons', ...common, mappings, sources: [{ path: sourcePath }] });
  } else await run({ kind: 'swap-video', ...common, sourcePath });
  const likenesses: number[] = [];
  if (container !== 'gif') {
    await scanVideo(outputPath, (frame) => void likenesses.push(labelLikeness(frame.luma())));
    return likenesses;
  }
  const { pages = 1 } = await sharp(outputPath).metadata();
  for (let page = 0; page < pages; page++) {
    const picture = sharp(outputPath, { page }).removeAlpha().extractChannel(1).raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    likenesses.push(labelLikeness({ data, stride: info.width, width: info.width, height: info.height }));
  }
  return likenesses;
}

const FRAMES = 4;

for (const container of ['mp4', 'webm', 'gif'] as const) {
  test(`the label is on every frame of a ${container}, and only if it is wanted`, { skip }, async () => {
    const target = inDir('clip.mp4');
    const side = 256;
    const data = await sharp(face).resize(side, side).removeAlpha().raw().toBuffer();
    const tile = { name: 'face', data, width: side, height: side };
    const place = { width: 480, height: 300, frames: FRAMES, framesPerSecond: 10 };
    await composeClip(av!, target, { ...place, tiles: (frame) => [{ tile, x: 20 + 2 * frame, y: 10 }] });
    for (const isMapped of [false, true]) {
      const labelled = await clipLikenesses(target, container, isMapped, true);
      assert.equal(labelled.length, FRAMES);
      for (const likeness of labelled) assert.ok(likeness > 0.97, `${likeness}`);
      const plain = await clipLikenesses(target, container, isMapped, false);
      assert.equal(plain.length, FRAMES);
      for (const likeness of plain) assert.ok(Math.abs(likeness) < 0.5, `${likeness}`);
    }
  });
}
