import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { ensureSigningFiles } from './certificate.ts';
import { markMoving } from './mark-moving.ts';
import { packetsOf, sampleVideo } from '../xmp/sample-video.test.ts';
import { createManifestSigner } from './manifest-signer.ts';
import { loadSigningIdentity, type SigningIdentity } from './signing-identity.ts';
import { verifyFile } from './verify.ts';
import { SWAP_PROVENANCE } from '../xmp/xmp.ts';

const CLAIM = {
  generator: { name: 'guise', version: '1.2.3' },
  digitalSourceType: SWAP_PROVENANCE.digitalSourceType,
};

let folder: string;
let identity: SigningIdentity;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-mark-'));
  identity = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
});
after(() => rm(folder, { recursive: true, force: true }));

const TYPES = { mp4: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm' } as const;

for (const container of ['mp4', 'mov', 'webm'] as const) {
  test(`a marked ${container} says how it was made, and plays the same packets`, async () => {
    const file = path.join(folder, `marked.${container}`);
    await sampleVideo(file, container);
    const packets = await packetsOf(file);
    const { sizeBytes, sha256 } = await markMoving(
      file,
      TYPES[container],
      createManifestSigner(identity, CLAIM),
    );
    assert.deepEqual(await packetsOf(file), packets);
    const bytes = await readFile(file);
    assert.deepEqual([sizeBytes, sha256], [bytes.length, createHash('sha256').update(bytes).digest('hex')]);
    const { xmp, c2pa } = await verifyFile(file, TYPES[container], {
      trustAnchorsPem: identity.trustAnchorPem,
    });
    assert.deepEqual(xmp, SWAP_PROVENANCE);
    assert.equal(c2pa?.trusted ?? null, container === 'webm' ? null : true);
  });
}

test('one changed byte of a marked video is noticed', async () => {
  const file = path.join(folder, 'changed.mp4');
  await sampleVideo(file, 'mp4');
  await markMoving(file, 'video/mp4', createManifestSigner(identity, CLAIM));
  const bytes = await readFile(file);
  bytes[bytes.indexOf('mdat', 0, 'latin1') + 20]! ^= 1;
  await writeFile(file, bytes);
  const { c2pa } = await verifyFile(file, 'video/mp4', { trustAnchorsPem: identity.trustAnchorPem });
  assert.equal(c2pa?.valid, false);
});

test('a marked GIF says how it was made, and shows the same pictures', async () => {
  const frames = await Promise.all(
    ['#f00', '#0f0'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const file = path.join(folder, 'marked.gif');
  await sharp(frames, { join: { animated: true } })
    .gif({ delay: [50, 70] })
    .toFile(file);
  const pixels = (): Promise<Buffer> => sharp(file, { animated: true }).raw().toBuffer();
  const before = await pixels();
  await markMoving(file, 'image/gif', createManifestSigner(identity, CLAIM));
  assert.deepEqual(await pixels(), before);
  const { xmp, c2pa } = await verifyFile(file, 'image/gif', { trustAnchorsPem: identity.trustAnchorPem });
  assert.deepEqual([xmp, c2pa?.trusted], [SWAP_PROVENANCE, true]);
});

test('a file that cannot be marked stays as it was, with nothing beside it', async () => {
  const quiet = await mkdtemp(path.join(folder, 'quiet-'));
  const file = path.join(quiet, 'file');
  for (const contentType of [...Object.values(TYPES), 'image/gif', 'text/plain']) {
    await writeFile(file, 'no film');
    await assert.rejects(markMoving(file, contentType, createManifestSigner(identity, CLAIM)));
    assert.equal(await readFile(file, 'utf8'), 'no film');
    assert.deepEqual(await readdir(quiet), ['file']);
  }
});
