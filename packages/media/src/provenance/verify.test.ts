import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { encodeImage } from '../image/encode.ts';
import type { StillFormat } from '@guise/contract/formats.ts';
import { blobOfBytes, loadC2pa } from './c2pa-module.ts';
import { NO_CREDENTIALS } from './c2pa-report.ts';
import { ensureSigningFiles } from './certificate.ts';
import { BUILDER_SETTINGS, manifestDefinition } from './claim.ts';
import { signStill } from './sign-still.ts';
import { createManifestSigner } from './manifest-signer.ts';
import { coseSign1, coseSizeBytes } from './cose.ts';
import { loadSigningIdentity, serialNumberOf, type SigningIdentity } from './signing-identity.ts';
import { verifyFile } from './verify.ts';
import { COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA, SWAP_PROVENANCE } from '../xmp/xmp.ts';

const CLAIM = {
  generator: { name: 'guise', version: '9.8.7' },
  digitalSourceType: COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA,
};
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** The signer as c2pa-wasm takes it: it asks for a whole COSE structure. */
const signerOf = (signing: SigningIdentity) => ({
  alg: signing.algorithm,
  reserveSize: coseSizeBytes(signing),
  sign: (claim: Uint8Array) => coseSign1(signing, claim),
});

let folder: string;
let identity: SigningIdentity;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-verify-'));
  identity = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
});
after(() => rm(folder, { recursive: true, force: true }));

/** A small file with its XMP, not signed yet. */
async function markedFile(contentType: string, name: string): Promise<string> {
  const file = path.join(folder, name);
  const data = Uint8Array.from({ length: 80 * 60 * 3 }, (_, index) => (index * 7919) % 251);
  const image = { rgb: { data, width: 80, height: 60 }, alpha: null };
  await encodeImage(image, contentType.slice('image/'.length) as StillFormat, file);
  return file;
}

async function signedFile(contentType: string, name: string): Promise<string> {
  const file = await markedFile(contentType, name);
  await writeFile(
    file,
    await signStill(await readFile(file), contentType, createManifestSigner(identity, CLAIM)),
  );
  return file;
}

function nameFor(contentType: string, suffix: string): string {
  return `${contentType.replace('/', '-')}-${suffix}`;
}

const trusting = () => ({ trustAnchorsPem: identity.trustAnchorPem });

for (const contentType of TYPES) {
  describe(contentType, () => {
    test('XMP and credentials come back, valid and trusted', async () => {
      const file = await signedFile(contentType, nameFor(contentType, 'signed'));
      assert.deepEqual(await verifyFile(file, contentType, trusting()), {
        xmp: SWAP_PROVENANCE,
        watermark: null,
        c2pa: {
          present: true,
          valid: true,
          trusted: true,
          signer: identity.subject,
          issuer: 'guise',
          serialNumber: serialNumberOf(identity.chain[0]!),
          signedAt: null,
          digitalSourceType: COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA,
          softwareAgent: 'guise/9.8.7',
          actions: [
            {
              action: 'c2pa.created',
              digitalSourceType: COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA,
              softwareAgent: 'guise/9.8.7',
              when: null,
            },
          ],
          validationErrors: [],
        },
      });
    });

    test('without its authority the signature is valid and not trusted', async () => {
      const { c2pa } = await verifyFile(
        await signedFile(contentType, nameFor(contentType, 'stranger')),
        contentType,
      );
      assert.deepEqual([c2pa?.valid, c2pa?.trusted, c2pa?.validationErrors], [true, false, []]);
    });

    test('one changed bit of the media makes it invalid', async () => {
      const file = await signedFile(contentType, nameFor(contentType, 'tampered'));
      const bytes = await readFile(file);
      const at = placeInMedia(bytes, contentType);
      bytes[at] = bytes[at]! ^ 1;
      await writeFile(file, bytes);
      const { c2pa } = await verifyFile(file, contentType, trusting());
      assert.deepEqual([c2pa?.present, c2pa?.valid, c2pa?.trusted], [true, false, false]);
      assert.match(c2pa!.validationErrors.join(), /^assertion\.dataHash\.mismatch/);
    });

    test('a file without credentials is told apart from one with wrong ones', async () => {
      const { xmp, c2pa } = await verifyFile(
        await markedFile(contentType, nameFor(contentType, 'unsigned')),
        contentType,
      );
      assert.deepEqual([xmp, c2pa], [SWAP_PROVENANCE, NO_CREDENTIALS]);
    });

    test('a file cut off anywhere is never valid, and never an exception', async () => {
      const bytes = await readFile(await signedFile(contentType, nameFor(contentType, 'whole')));
      const file = path.join(folder, nameFor(contentType, 'cut'));
      for (const share of [0, 0.01, 0.3, 0.6, 0.99]) {
        await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * share)));
        const { c2pa } = await verifyFile(file, contentType, trusting());
        assert.equal(c2pa?.valid, false);
      }
    });
  });
}

/** Where a changed bit changes pixels and nothing of the container. */
function placeInMedia(bytes: Buffer, contentType: string): number {
  if (contentType === 'image/jpeg') return bytes.length - 64;
  return bytes.indexOf(contentType === 'image/png' ? 'IDAT' : 'VP8 ') + 64;
}

test('credentials with changed bytes are present and wrong', async () => {
  const file = await signedFile('image/png', 'damaged.png');
  const bytes = await readFile(file);
  bytes.fill(0x5a, bytes.indexOf('jumb') - 4, bytes.indexOf('jumb') + 100);
  await writeFile(file, bytes);
  const { c2pa } = await verifyFile(file, 'image/png');
  assert.deepEqual([c2pa?.present, c2pa?.valid, c2pa?.validationErrors], [true, false, ['unreadable']]);
});

test('a claim that was edited after it was signed is wrong', async () => {
  const file = await signedFile('image/png', 'edited.png');
  const bytes = await readFile(file);
  bytes.write('6', bytes.indexOf('9.8.7', bytes.indexOf('c2pa.claim.v2')));
  await writeFile(file, bytes);
  const { c2pa } = await verifyFile(file, 'image/png', trusting());
  assert.deepEqual([c2pa?.valid, c2pa?.validationErrors.includes('claimSignature.mismatch')], [false, true]);
});

test('a type without a place for credentials is told apart from a file without any', async () => {
  const file = await signedFile('image/png', 'other-type.png');
  assert.deepEqual(await verifyFile(file, 'image/bmp'), {
    xmp: SWAP_PROVENANCE,
    c2pa: null,
    watermark: null,
  });
});

test('what is no picture has no credentials and says it was unreadable', async () => {
  const file = path.join(folder, 'text.png');
  await writeFile(file, 'not a picture '.repeat(100));
  const { c2pa } = await verifyFile(file, 'image/png');
  assert.deepEqual([c2pa?.present, c2pa?.validationErrors], [false, ['unreadable']]);
});

test('credentials that lie on another server are not fetched', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const file = await markedFile('image/jpeg', 'remote.jpg');
    const { WasmBuilder } = await loadC2pa();
    const builder = WasmBuilder.fromJson(manifestDefinition(CLAIM), BUILDER_SETTINGS);
    builder.setNoEmbed(true);
    builder.setRemoteUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest`);
    const source = blobOfBytes(await readFile(file));
    await writeFile(file, await builder.sign(signerOf(identity), [], 'image/jpeg', source));
    const { c2pa } = await verifyFile(file, 'image/jpeg', trusting());
    assert.deepEqual(
      [c2pa?.present, c2pa?.valid, c2pa?.validationErrors],
      [true, false, ['manifest.inaccessible']],
    );
    assert.equal(requests, 0);
  } finally {
    server.close();
  }
});

test('a file beyond the size limit is refused unread, and one that takes too long is given up', async () => {
  const file = await signedFile('image/png', 'limits.png');
  await assert.rejects(verifyFile(file, 'image/png', { maxBytes: 100 }), {
    name: 'MediaError',
    code: 'UNSUPPORTED',
  });
  // Hashing this much takes many times as long.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const large = { width: 3000, height: 3000, channels: 3, background: '#000', noise } as const;
  const png = await sharp({ create: large }).png({ compressionLevel: 0 }).toBuffer();
  await writeFile(file, await signStill(png, 'image/png', createManifestSigner(identity, CLAIM)));
  await assert.rejects(verifyFile(file, 'image/png', { timeoutMs: 1 }), {
    name: 'MediaError',
    code: 'TIMEOUT',
  });
});
