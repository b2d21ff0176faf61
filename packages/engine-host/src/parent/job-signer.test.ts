import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner, type ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
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
  const length = await jobSigner.manifestBytes();
  const manifest = await jobSigner.sign(request);
  assert.equal(manifest.length, length);
  assert.ok(Buffer.from(manifest).includes('Made with mine 1.2.'), 'the manifest names the engine');
  await assert.rejects(async () => jobSigner.sign(request), /signed once/);
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
  assert.equal(await looksOnly.manifestBytes(), 0);
  await assert.rejects(async () => looksOnly.sign(still), /no image\/png/);
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
