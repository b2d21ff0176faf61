import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { decodeImage } from '@guise/media/image/decode.ts';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { SWAP_PROVENANCE } from '@guise/media/provenance/xmp.ts';
import type { OutputFormat, SwapImageOutcome } from './engine-job.ts';
import { runJob } from './run-job.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-run-job-'));
const inDir = (name: string): string => path.join(dir, name);
const engine = await createEngine({ modelCacheDir: inDir('models') });
const identity = await loadSigningIdentity(await ensureSigningFiles(inDir('signing')));
after(async () => {
  await engine.close();
  await rm(dir, { recursive: true, force: true });
});

const LIMITS = { maxPixels: 10_000_000 };
const trusting = { trustAnchorsPem: identity.trustAnchorPem };
const [sourcePath, targetPath] = [inDir('face.jpg'), inDir('body.jpg')];
const samples = await readSampleFaces();
await Promise.all([writeFile(sourcePath, samples.face), writeFile(targetPath, samples.body)]);

async function swap(
  outputFormat: OutputFormat,
): Promise<{ readonly outputPath: string; readonly outcome: SwapImageOutcome }> {
  const outputPath = inDir(`out.${outputFormat}`);
  const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
  const job = { kind: 'swap-image', sourcePath, targetPath, outputPath, outputFormat, restore } as const;
  const control = { signal: new AbortController().signal, onProgress: () => {} };
  const outcome = await runJob({ engine, identity }, { ...job, ...LIMITS }, control);
  return { outputPath, outcome: outcome as SwapImageOutcome };
}

for (const format of ['png', 'jpeg', 'webp'] as const) {
  test(`a swap to ${format} carries its mark and valid credentials, and the outcome states the signed file`, async () => {
    const { outputPath, outcome } = await swap(format);
    assert.deepEqual(await verifyFile(outputPath, outcome.contentType, trusting), {
      xmp: SWAP_PROVENANCE,
      c2pa: {
        present: true,
        valid: true,
        trusted: true,
        signer: identity.subject,
        digitalSourceType: SWAP_PROVENANCE.digitalSourceType,
        softwareAgent: 'guise/0.1.0',
        validationErrors: [],
      },
    });
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

test('a PNG holds exactly the pixels that the engine made', async () => {
  const { outputPath } = await swap('png');
  const [source, target, output] = await Promise.all(
    [sourcePath, targetPath, outputPath].map((file) => decodeImage(file, LIMITS)),
  );
  const swapped = await engine.swapImage({
    source: source!.rgb,
    target: target!.rgb,
    faceRestoreVisibility: 1,
    restoreVisibility: 1,
  });
  assert.ok(Buffer.from(output!.rgb.data).equals(swapped.image.data));
});
