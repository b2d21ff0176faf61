import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { decodeImage } from '@guise/media/image/decode.ts';
import { encodeImage } from '@guise/media/image/encode.ts';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { SWAP_PROVENANCE, TRAINED_ALGORITHMIC_MEDIA } from '@guise/media/xmp/xmp.ts';
import type { StillFormat } from '@guise/contract/formats.ts';
import type { EngineJob, StillOutcome, SwapImageJob, SwapImageOutcome } from '../protocol/engine-job.ts';
import { createJobTools } from './job-tools.ts';
import { runJob } from './run-job.ts';
import { SWAP_CLAIM } from '../parent/swap-claim.ts';
import { engine } from '@guise/engine/pipeline/testing/test-engine.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-run-job-'));
const inDir = (name: string): string => path.join(dir, name);
const identity = await loadSigningIdentity(await ensureSigningFiles(inDir('signing')));
const signer = createManifestSigner(identity, SWAP_CLAIM);
after(() => rm(dir, { recursive: true, force: true }));

const LIMITS = { maxPixels: 10_000_000 };
const trusting = { trustAnchorsPem: identity.trustAnchorPem };
const [sourcePath, targetPath] = [inDir('face.jpg'), inDir('body.jpg')];
const samples = await readSampleFaces();
await Promise.all([writeFile(sourcePath, samples.face), writeFile(targetPath, samples.body)]);

async function swap(
  format: StillFormat,
  marks: Pick<SwapImageJob, 'watermark'> = {},
): Promise<{ readonly outputPath: string; readonly outcome: SwapImageOutcome }> {
  const outputPath = inDir(`out.${format}`);
  const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
  const options = { restore, output: { format } };
  const job = { kind: 'swap-image', sourcePath, targetPath, outputPath, options, ...marks } as const;
  const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
  const outcome = await runJob(createJobTools(engine), { ...job, ...LIMITS }, control);
  return { outputPath, outcome: outcome as SwapImageOutcome };
}

for (const format of ['png', 'jpeg', 'webp'] as const) {
  test(`a swap to ${format} carries its mark and valid credentials, and the outcome states the signed file`, async () => {
    const { outputPath, outcome } = await swap(format);
    const { xmp, c2pa } = await verifyFile(outputPath, outcome.contentType, trusting);
    assert.deepEqual(xmp, SWAP_PROVENANCE);
    assert.partialDeepStrictEqual(c2pa, {
      present: true,
      valid: true,
      trusted: true,
      signer: identity.subject,
      digitalSourceType: SWAP_PROVENANCE.digitalSourceType,
      softwareAgent: 'guise/0.2.0',
    });
    assert.deepEqual(c2pa?.validationErrors, []);
    const bytes = await readFile(outputPath);
    assert.equal(outcome.sizeBytes, bytes.length);
    assert.equal(outcome.sha256, createHash('sha256').update(bytes).digest('hex'));
  });

  test(`one changed byte of the pixels of a swap to ${format} is seen`, async () => {
    const { outputPath, outcome } = await swap(format);
    const bytes = await readFile(outputPath);
    // The middle of the file is coded pixels in each of the formats.
    const middle = bytes.length >> 1;
    bytes[middle] = bytes[middle]! ^ 0x10;
    await writeFile(outputPath, bytes);
    const { c2pa } = await verifyFile(outputPath, outcome.contentType, trusting);
    assert.equal(c2pa?.valid, false);
    assert.deepEqual(c2pa?.validationErrors, ['assertion.dataHash.mismatch']);
  });
}

test('a result of a generated target says that it is generated, whatever the source says', async () => {
  const generated = inDir('generated.jpg');
  const image = await decodeImage(targetPath, LIMITS);
  await encodeImage(image, 'jpeg', generated, undefined, TRAINED_ALGORITHMIC_MEDIA);
  const outputPath = inDir('of-generated.png');
  const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
  const said = async (job: EngineJob): Promise<unknown[]> => {
    const tools = createJobTools(engine);
    await runJob(tools, job, control);
    tools.sharedImages.forget();
    const { xmp, c2pa } = await verifyFile(outputPath, 'image/png', trusting);
    return [xmp?.digitalSourceType, c2pa?.digitalSourceType, c2pa?.trusted];
  };
  const wanted = [TRAINED_ALGORITHMIC_MEDIA, TRAINED_ALGORITHMIC_MEDIA, true];
  const job = { ...pngJob(outputPath), targetPath: generated };
  assert.deepEqual(await said(job), wanted);
  assert.deepEqual(await said({ ...job, shared: 'target' }), wanted);
  const { rgb } = await decodeImage(targetPath, LIMITS);
  const [face] = await engine.detect(rgb);
  const replacements = [{ name: 'targetFace0', sourcePath, box: { name: 'faceBox0', ...face!.box } }];
  assert.deepEqual(await said({ ...job, kind: 'swap-group', replacements }), wanted);
  const { digitalSourceType } = SWAP_PROVENANCE;
  const reversed = { ...job, sourcePath: generated, targetPath };
  assert.deepEqual(await said(reversed), [digitalSourceType, digitalSourceType, true]);
});

test('content credentials of the target become the parent of the result, and those of the source do not', async () => {
  const { outputPath: first } = await swap('jpeg');
  const signed = inDir('signed.jpg');
  await copyFile(first, signed);
  const outputPath = inDir('of-signed.png');
  const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
  const actions = async (job: EngineJob): Promise<unknown[]> => {
    await runJob(createJobTools(engine), job, control);
    const { c2pa } = await verifyFile(outputPath, 'image/png', trusting);
    return [c2pa?.trusted, ...(c2pa?.actions ?? []).map(({ action }) => action)];
  };
  const onSigned = { ...pngJob(outputPath), targetPath: signed };
  assert.deepEqual(await actions(onSigned), [true, 'c2pa.opened', 'c2pa.edited']);
  const ofSigned = { ...pngJob(outputPath), sourcePath: signed };
  assert.deepEqual(await actions(ofSigned), [true, 'c2pa.created']);
});

test('a PNG holds exactly the pixels that the engine made', async () => {
  const { outputPath } = await swap('png');
  const [source, target, output] = await Promise.all(
    [sourcePath, targetPath, outputPath].map((file) => decodeImage(file, LIMITS)),
  );
  const swapped = await engine.swapImage({
    source: source!.rgb,
    target: target!.rgb,
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
  });
  assert.ok(Buffer.from(output!.rgb.data).equals(swapped.image.data));
});

test('the watermark changes a picture by what nobody sees, and is read from every format', async () => {
  const watermark = '00c0ffee0180';
  const { outputPath: plainPath } = await swap('png');
  const plain = await decodeImage(plainPath, LIMITS);
  for (const format of ['jpeg', 'webp', 'png'] as const) {
    const { outputPath, outcome } = await swap(format, { watermark });
    const verdict = await verifyFile(outputPath, outcome.contentType, trusting);
    assert.equal(verdict.watermark?.id, watermark, format);
    assert.ok(verdict.c2pa?.trusted);
    if (format !== 'png') continue;
    const marked = await decodeImage(outputPath, LIMITS);
    let error = 0;
    for (const [k, value] of marked.rgb.data.entries()) error += (value - plain.rgb.data[k]!) ** 2;
    const decibels = 10 * Math.log10((255 ** 2 * plain.rgb.data.length) / error);
    assert.ok(decibels >= 46, `${decibels} dB`);
  }
});

test('a larger target is reduced before the swap, a smaller one is not enlarged', async () => {
  const tools = createJobTools(engine);
  const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
  const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
  const job = {
    kind: 'swap-image',
    sourcePath,
    targetPath,
    outputPath: inDir('reduced.png'),
  } as const;
  for (const [maxLongSide, side] of [
    [900, 900],
    [1200, 1200],
    [3840, 1200],
  ] as const) {
    for (const shared of [undefined, 'target'] as const) {
      const output = { format: 'png', maxLongSide } as const;
      const wanted = { options: { restore, output }, shared };
      tools.sharedImages.forget();
      const outcome = (await runJob(tools, { ...job, ...LIMITS, ...wanted }, control)) as SwapImageOutcome;
      assert.deepEqual([outcome.width, outcome.height, outcome.facesFound], [side, side, 1]);
      const { rgb } = await decodeImage(job.outputPath, LIMITS);
      assert.deepEqual([rgb.width, rgb.height], [side, side]);
    }
  }
  tools.sharedImages.forget();
});

/** The source on the target, as `swap('png')` makes it. */
function pngJob(outputPath: string) {
  const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
  return {
    kind: 'swap-image',
    sourcePath,
    targetPath,
    outputPath,
    options: { restore, output: { format: 'png' } },
    ...LIMITS,
  } as const;
}

test('a source that another engine analysed is not analysed again, and the picture is the same', async () => {
  const { outputPath: alone, outcome: wanted } = await swap('png');
  const outputPath = inDir('analysed.png');
  const item = { ...pngJob(outputPath), shared: 'source' } as const;
  const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
  const analysis = Promise.withResolvers<SourceAnalysis | null>();
  const first = createJobTools(engine);
  await runJob(first, item, { ...control, onSourceAnalysis: analysis.resolve });
  const known = structuredClone(await analysis.promise);
  const blind = { ...engine, analyseSource: () => Promise.reject(new Error('it analysed')) };
  const tools = createJobTools(blind);
  const { sharedImages } = tools;
  const outcome = (await runJob(tools, item, {
    ...control,
    sourceAnalysis: Promise.resolve(known),
  })) as SwapImageOutcome;
  assert.equal(outcome.identitySimilarity, wanted.identitySimilarity);
  const [one, other] = await Promise.all([decodeImage(alone, LIMITS), decodeImage(outputPath, LIMITS)]);
  assert.ok(Buffer.from(other.rgb.data).equals(one.rgb.data));
  sharedImages.forget();
  await assert.rejects(
    runJob(tools, item, { ...control, sourceAnalysis: Promise.resolve(null) }),
    /it analysed/,
  );
  for (const each of [first.sharedImages, sharedImages]) each.forget();
});

test('a faceIndex that no face has fails with the number of faces', async () => {
  const tools = createJobTools(engine);
  const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
  const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
  const options = { restore, faceIndex: 1 };
  const job = { kind: 'swap-image', sourcePath, targetPath, outputPath: inDir('none.png'), options } as const;
  await assert.rejects(runJob(tools, { ...job, ...LIMITS }, control), {
    code: 'FACE_NOT_FOUND',
    message: 'The only face of the target image is face 0: there is no face 1.',
  });
});

test('an item that shares its source or target with others comes out as it would alone', async () => {
  const { outputPath: alone } = await swap('png');
  const tools = createJobTools(engine);
  for (const shared of ['source', 'source', 'target', 'target'] as const) {
    const outputPath = inDir('shared.png');
    const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
    const outcome = (await runJob(tools, { ...pngJob(outputPath), shared }, control)) as SwapImageOutcome;
    assert.equal(outcome.facesFound, 1);
    const [one, other] = await Promise.all([decodeImage(alone, LIMITS), decodeImage(outputPath, LIMITS)]);
    assert.ok(Buffer.from(other.rgb.data).equals(one.rgb.data), `shared ${shared}`);
  }
  tools.sharedImages.forget();
});

test('pictures are given back as soon as they are written, but for what other items share', async () => {
  const seen: RgbImage[] = [];
  const watched: Engine = {
    ...engine,
    swapImage: async (request) => {
      const result = await engine.swapImage(request);
      seen.push(request.source, request.target, result.image);
      return result;
    },
  };
  const tools = createJobTools(watched);
  const control = { signal: new AbortController().signal, signer, onProgress: () => {} };
  for (const shared of [undefined, 'source', 'target'] as const) {
    await runJob(tools, { ...pngJob(inDir('released.png')), ...(shared && { shared }) }, control);
    const held = seen.splice(0).map(({ data }) => data.length > 0);
    assert.deepEqual(held, [shared === 'source', shared === 'target', false]);
  }
  tools.sharedImages.forget();
});

test('a group photo carries valid credentials, and a box that means no face fails it', async () => {
  const outputPath = inDir('group.jpg');
  const job = {
    kind: 'swap-group',
    targetPath,
    outputPath,
    options: { restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
    ...LIMITS,
  } as const;
  const progress: number[] = [];
  const control = {
    signal: new AbortController().signal,
    signer,
    onProgress: (value: number) => void progress.push(value),
  };
  const tools = createJobTools(engine);
  const { rgb } = await decodeImage(targetPath, LIMITS);
  const [face] = await engine.detect(rgb);
  const right = [{ name: 'targetFace0', sourcePath, box: { name: 'faceBox0', ...face!.box } }];
  const outcome = (await runJob(tools, { ...job, replacements: right }, control)) as StillOutcome;
  assert.equal((await verifyFile(outputPath, outcome.contentType, trusting)).c2pa?.valid, true);
  assert.equal(outcome.facesFound, 1);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.equal(progress.at(-1), 1);
  const corner = [{ ...right[0]!, box: { name: 'faceBox0', x: 0, y: 0, width: 2, height: 2 } }];
  await assert.rejects(runJob(tools, { ...job, replacements: corner }, control), { code: 'FACE_NOT_FOUND' });
});
