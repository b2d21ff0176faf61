import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner, type ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import {
  COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA,
  type SwapSourceType,
  TRAINED_ALGORITHMIC_MEDIA,
} from '@guise/media/xmp/xmp.ts';
import type { EngineJob, SwapVideoJob } from '../protocol/engine-job.ts';
import { JobSigner } from './job-signer.ts';
import { SWAP_CLAIM } from './swap-claim.ts';

let folder: string;
let signer: ManifestSigner;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-job-signer-'));
  const identity = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
  signer = createManifestSigner(identity, SWAP_CLAIM);
});
after(() => rm(folder, { recursive: true }));

const job: SwapVideoJob = {
  kind: 'swap-video',
  sourcePath: '',
  targetPath: '',
  outputPath: '',
  container: 'mp4',
  options: { restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
  maxPixels: 1,
};
const request = { contentType: 'video/mp4', mediaSha256: new Uint8Array(32), at: 20 } as const;

const signerOf = (of: EngineJob): JobSigner => new JobSigner(signer, of, { name: 'mine', version: '1.2' });

test('a job is signed once, by a manifest of the length that was said', async () => {
  const jobSigner = signerOf(job);
  const length = await jobSigner.manifestBytes(request);
  const manifest = await jobSigner.sign(request);
  assert.equal(manifest.length, length);
  assert.ok(Buffer.from(manifest).includes('Made with mine 1.2.'), 'the manifest names the engine');
  await assert.rejects(async () => jobSigner.sign(request), /signed once/);
  await assert.rejects(async () => jobSigner.manifestBytes(request), /measured once/);
});

test('the manifest is bound to the watermark that the parent chose, whatever the child says', async () => {
  const marked = signerOf({ ...job, watermark: '0123456789ab' });
  const wish = { ...request, watermark: 'ffffffffffff' };
  const length = await marked.manifestBytes(wish);
  const manifest = Buffer.from(await marked.sign(wish));
  assert.equal(manifest.length, length);
  assert.ok(manifest.includes('c2pa.watermarked.bound') && manifest.includes('0123456789ab'));
  assert.ok(!manifest.includes('ffffffffffff'));
  const plain = Buffer.from(await signerOf(job).sign(wish));
  assert.ok(!plain.includes('c2pa.watermarked') && !plain.includes('ffffffffffff'));
});

test('two requests at the same time get one manifest', async () => {
  const jobSigner = signerOf(job);
  const first = jobSigner.sign(request);
  assert.throws(() => jobSigner.sign(request), /signed once/);
  assert.ok((await first).length > 0);
});

test('a type that the job does not make is refused', async () => {
  const still = { ...request, contentType: 'image/png' } as const;
  await assert.rejects(async () => signerOf(job).sign(still), /no image\/png/);
  const jpegOnly = signerOf({
    ...job,
    kind: 'swap-image',
    options: { ...job.options, output: { format: 'jpeg' } },
  });
  await assert.rejects(async () => jpegOnly.sign(still), /no image\/png/);
  const looksOnly = signerOf({ kind: 'detect-faces', images: [], maxPixels: 1 });
  await assert.rejects(async () => looksOnly.manifestBytes(still), /no image\/png/);
  await assert.rejects(async () => looksOnly.sign(still), /no image\/png/);
});

/** Returns the source types that a manifest for a request says. */
async function said(digitalSourceType?: SwapSourceType): Promise<string[]> {
  const jobSigner = signerOf(job);
  const wish = { ...request, ...(digitalSourceType && { digitalSourceType }) };
  const length = await jobSigner.manifestBytes(wish);
  const manifest = Buffer.from(await jobSigner.sign(wish));
  assert.equal(manifest.length, length);
  return manifest.toString('latin1').match(/digitalsourcetype\/\w+Media/g) ?? [];
}

test('the manifest says composite or generated, and nothing else', async () => {
  const composite = ['digitalsourcetype/compositeWithTrainedAlgorithmicMedia'];
  assert.deepEqual(await said(), composite);
  assert.deepEqual(await said(COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA), composite);
  assert.deepEqual(await said(TRAINED_ALGORITHMIC_MEDIA), ['digitalsourcetype/trainedAlgorithmicMedia']);
  for (const lie of ['http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture', '', null, {}]) {
    const digitalSourceType = lie as SwapSourceType;
    await assert.rejects(async () => signerOf(job).sign({ ...request, digitalSourceType }), /source type/);
    await assert.rejects(
      async () => signerOf(job).manifestBytes({ ...request, digitalSourceType }),
      /source type/,
    );
  }
});

test('content credentials that are no bytes are refused, and damaged ones leave no parent', async () => {
  for (const parentStore of ['store', null, 7, {}, [1, 2]] as unknown as Uint8Array[]) {
    await assert.rejects(async () => signerOf(job).sign({ ...request, parentStore }), /not made of bytes/);
    await assert.rejects(
      async () => signerOf(job).manifestBytes({ ...request, parentStore }),
      /not made of bytes/,
    );
  }
  const manifest = await signerOf(job).sign({ ...request, parentStore: Buffer.from('no store') });
  assert.ok(Buffer.from(manifest).includes('c2pa.created'));
});

test('what is no SHA-256 and no place in a file is refused', async () => {
  for (const mediaSha256 of [new Uint8Array(31), new Uint8Array(33), 'x'.repeat(32), Array(32).fill(0), null])
    await assert.rejects(
      async () => signerOf(job).sign({ ...request, mediaSha256: mediaSha256 as Uint8Array }),
      `${mediaSha256}`,
    );
  for (const at of [-1, 0.5, 2 ** 32, Number.NaN, '20'])
    await assert.rejects(async () => signerOf(job).sign({ ...request, at: at as number }), RangeError);
  await assert.rejects(async () => signerOf(job).sign(null as never));
});
