import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { ensureSigningFiles } from './certificate.ts';
import { parseJumbf } from './jumbf.ts';
import { createManifestSigner, type ManifestRequest, type ManifestSigner } from './manifest-signer.ts';
import { markMoving } from './mark-moving.ts';
import { sampleVideo } from '../xmp/sample-video.test.ts';
import { signStill } from './sign-still.ts';
import { loadSigningIdentity } from './signing-identity.ts';
import { verifyFile } from './verify.ts';
import type { SignableType } from './wrap-manifest.ts';

let folder: string;
let signer: ManifestSigner;
let trustAnchorsPem: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-manifest-'));
  const identity = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
  signer = createManifestSigner(identity, {
    generator: { name: 'guise', version: '1.2.3' },
    digitalSourceType: 'http://example.com/made',
  });
  trustAnchorsPem = identity.trustAnchorPem;
});
after(() => rm(folder, { recursive: true, force: true }));

const noise = () =>
  sharp({
    create: {
      width: 64,
      height: 48,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Makes a file of a type, signed through `through`. */
const MAKE: Readonly<Record<SignableType, (file: string, through: ManifestSigner) => Promise<void>>> = {
  'image/png': (file, through) => signedStill(file, 'png', through),
  'image/jpeg': (file, through) => signedStill(file, 'jpeg', through),
  'image/webp': (file, through) => signedStill(file, 'webp', through),
  'image/gif': async (file, through) => {
    await noise().gif().toFile(file);
    await markMoving(file, 'image/gif', through);
  },
  'video/mp4': (file, through) => signedVideo(file, 'mp4', 'video/mp4', through),
  'video/quicktime': (file, through) => signedVideo(file, 'mov', 'video/quicktime', through),
};

async function signedStill(
  file: string,
  format: 'png' | 'jpeg' | 'webp',
  through: ManifestSigner,
): Promise<void> {
  const bytes = await noise().toFormat(format).toBuffer();
  await writeFile(file, await signStill(bytes, `image/${format}`, through));
}

async function signedVideo(
  file: string,
  container: 'mp4' | 'mov',
  contentType: 'video/mp4' | 'video/quicktime',
  through: ManifestSigner,
): Promise<void> {
  await sampleVideo(file, container);
  await markMoving(file, contentType, through);
}

for (const contentType of Object.keys(MAKE) as SignableType[]) {
  test(`a hash is all that a manifest for ${contentType} needs, and the file is valid with it`, async () => {
    const requests: ManifestRequest[] = [];
    // As between two processes: nothing of the file can come along.
    const through: ManifestSigner = {
      manifestBytes: (content) => signer.manifestBytes(content),
      sign: (request) => {
        requests.push(structuredClone(request));
        return signer.sign(requests.at(-1)!);
      },
    };
    const file = path.join(folder, contentType.replace('/', '.'));
    await MAKE[contentType](file, through);
    assert.deepEqual(
      requests.map((request) => [
        Object.keys(request).sort(),
        request.contentType,
        request.mediaSha256.length,
      ]),
      [[['at', 'contentType', 'mediaSha256'], contentType, 32]],
    );
    const { c2pa } = await verifyFile(file, contentType, { trustAnchorsPem });
    assert.deepEqual([c2pa?.valid, c2pa?.trusted, c2pa?.validationErrors], [true, true, []]);
  });

  test(`a manifest for ${contentType} with another hash makes the file invalid`, async () => {
    const file = path.join(folder, `wrong-${contentType.replace('/', '.')}`);
    await MAKE[contentType](file, {
      manifestBytes: (content) => signer.manifestBytes(content),
      sign: (request) => signer.sign({ ...request, mediaSha256: new Uint8Array(32).fill(7) }),
    });
    const { c2pa } = await verifyFile(file, contentType, { trustAnchorsPem });
    assert.deepEqual([c2pa?.present, c2pa?.valid], [true, false]);
  });

  test(`two manifests for ${contentType} have one length and ids of their own`, async () => {
    const request = { contentType, mediaSha256: new Uint8Array(32), at: 2 };
    const manifests = [await signer.sign(request), await signer.sign(request)];
    const sizeBytes = await signer.manifestBytes({ contentType });
    assert.deepEqual(
      manifests.map(({ length }) => length),
      [sizeBytes, sizeBytes],
    );
    const ids = manifests.map((bytes) => parseJumbf(Buffer.from(bytes)).children.at(-1)!.label);
    assert.match(ids[0]!, /^urn:c2pa:/);
    assert.notEqual(ids[0], ids[1]);
    const [first, second] = manifests.map(
      (bytes) => new Set(Buffer.from(bytes).toString('latin1').match(UUID)),
    );
    assert.ok(first!.size > 1, 'the manifest has one, and so has the file that it is about');
    assert.deepEqual(first!.intersection(second!), new Set());
  });
}

test('a hash or a place that no file has is refused', async () => {
  const request = { contentType: 'image/png', mediaSha256: new Uint8Array(32), at: 33 } as const;
  for (const bytes of [0, 31, 33]) {
    await assert.rejects(signer.sign({ ...request, mediaSha256: new Uint8Array(bytes) }), RangeError);
  }
  for (const at of [-1, 1.5, 2 ** 32, Number.NaN]) {
    await assert.rejects(signer.sign({ ...request, at }), RangeError);
  }
  const file = path.join(folder, 'after-refusals.png');
  await MAKE['image/png'](file, signer);
  assert.ok((await readFile(file)).length > 0);
  assert.equal((await verifyFile(file, 'image/png', { trustAnchorsPem })).c2pa?.trusted, true);
});
