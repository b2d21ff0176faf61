import assert from 'node:assert/strict';
import { createHash, verify, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { ensureSigningFiles } from './certificate.ts';
import { childOf, parseJumbf, type JumbfBox } from './jumbf.ts';
import { signStill } from './sign-still.ts';
import { createManifestSigner } from './manifest-signer.ts';
import { loadSigningIdentity, type SigningIdentity } from './signing-identity.ts';
import { verifyFile } from './verify.ts';

const CLAIM = {
  generator: { name: 'guise', version: '1.2.3' },
  digitalSourceType: 'http://example.com/made',
};

let folder: string;
let identity: SigningIdentity;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-sign-'));
  identity = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
});
after(() => rm(folder, { recursive: true, force: true }));

const sign = async (bytes: Uint8Array, contentType: string): Promise<Buffer> =>
  Buffer.concat(await signStill(bytes, contentType, createManifestSigner(identity, CLAIM)));

/** Grey noise of `side` times `side` pixels. */
function picture(side: number): Sharp {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } });
}

// The structure is taken apart here without c2pa-wasm: chunks, segments, JUMBF, CBOR, COSE and
// hashes by hand.
for (const side of [8, 1800]) {
  test(`a PNG of ${side} x ${side}: every hash and the signature hold, seen without c2pa-wasm`, async () => {
    const original = await picture(side).png({ compressionLevel: 0 }).toBuffer();
    const bytes = await sign(original, 'image/png');
    const at = bytes.indexOf('caBX', 0, 'latin1') - 4;
    const store = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    checkBinding(store, original, bytes, { start: at, length: store.length + 12 });
    await sharp(bytes).stats();
  });

  test(`a JPEG of ${side} x ${side}: every hash and the signature hold, seen without c2pa-wasm`, async () => {
    const original = await picture(side).jpeg({ quality: 100 }).toBuffer();
    const bytes = await sign(original, 'image/jpeg');
    const at = bytes.indexOf('ffeb', 0, 'hex');
    const length = 2 + bytes.readUInt16BE(at + 2);
    // ISO/IEC 18477-3: marker, length, "JP", the box's number and the packet's come before the box.
    checkBinding(bytes.subarray(at + 12, at + length), original, bytes, { start: at, length });
  });
}

test('a manifest of odd length in a WebP is padded, and read back as valid', async () => {
  // It is as long as what it says: one of the two is odd.
  for (const extra of ['', 's']) {
    const digitalSourceType = CLAIM.digitalSourceType + extra;
    const signer = createManifestSigner(identity, { ...CLAIM, digitalSourceType });
    const original = await picture(8).webp().toBuffer();
    const bytes = Buffer.concat(await signStill(original, 'image/webp', signer));
    const at = bytes.indexOf('C2PA', 0, 'latin1');
    const manifestBytes = bytes.readUInt32LE(at + 4);
    assert.equal(manifestBytes, await signer.manifestBytes({ contentType: 'image/webp' }));
    assert.equal(bytes.length, at + 8 + manifestBytes + (manifestBytes & 1));
    assert.equal(bytes.readUInt32LE(4), bytes.length - 8);
    const { exclusions, hash } = checkManifest(bytes.subarray(at + 8, at + 8 + manifestBytes))[
      'c2pa.hash.data'
    ] as DataHash;
    assert.deepEqual(exclusions, [{ start: at, length: 8 + manifestBytes }]);
    const covered = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 8 + manifestBytes)]);
    assert.deepEqual(sha256(covered), hash);
    const file = path.join(folder, `odd${extra}.webp`);
    await writeFile(file, bytes);
    const { c2pa } = await verifyFile(file, 'image/webp', { trustAnchorsPem: identity.trustAnchorPem });
    assert.deepEqual([c2pa?.trusted, c2pa?.validationErrors], [true, []]);
  }
});

test('what is no picture of its type is refused', async () => {
  for (const contentType of ['image/png', 'image/jpeg', 'image/webp']) {
    for (const text of ['', 'not a picture']) await assert.rejects(sign(Buffer.from(text), contentType));
  }
});

/**
 * Checks that the manifest is sound and binds exactly the bytes that the file had before, all of
 * which are still there.
 */
function checkBinding(
  store: Buffer,
  original: Buffer,
  signed: Buffer,
  place: { readonly start: number; readonly length: number },
): void {
  const { exclusions, hash } = checkManifest(store)['c2pa.hash.data'] as DataHash;
  assert.deepEqual(exclusions, [place]);
  const covered = Buffer.concat([
    signed.subarray(0, place.start),
    signed.subarray(place.start + place.length),
  ]);
  assert.ok(covered.equals(original));
  assert.deepEqual(sha256(covered), hash);
}

interface DataHash {
  exclusions: unknown;
  hash: Buffer;
}

/** Checks each assertion's hash and the signature; returns the assertions by label. */
function checkManifest(store: Buffer): Record<string, unknown> {
  const active = parseJumbf(store).children.at(-1)!;
  const content = (box: JumbfBox) => store.subarray(box.content!.start, box.content!.end);
  const claimBytes = content(childOf(active, 'c2pa.claim.v2'));
  const claim = decodeCbor(claimBytes) as Record<string, { url: string; hash: Buffer }[]>;
  const boxes = childOf(active, 'c2pa.assertions').children;
  const references = [...(claim.created_assertions ?? []), ...(claim.gathered_assertions ?? [])];
  assert.deepEqual(
    references.map(({ url }) => url.split('/').at(-1)).sort(),
    boxes.map(({ label }) => label).sort(),
  );
  for (const { url, hash } of references) {
    const box = boxes.find(({ label }) => url.endsWith(`/${label}`))!;
    assert.deepEqual(sha256(store.subarray(box.start + 8, box.end)), hash);
  }
  const cose = decodeCbor(content(childOf(active, 'c2pa.signature'))) as [Buffer, unknown, null, Buffer];
  const protectedHeader = decodeCbor(cose[0]) as Record<string, unknown>;
  const leaf = new X509Certificate(protectedHeader['33'] as Buffer);
  const toSign = Buffer.concat([
    Buffer.from('846a5369676e617475726531', 'hex'),
    byteString(cose[0]),
    byteString(Buffer.alloc(0)),
    byteString(claimBytes),
  ]);
  assert.equal(protectedHeader['1'], -7);
  assert.ok(verify('sha256', toSign, { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' }, cose[3]));
  return Object.fromEntries(boxes.map((box) => [box.label, decodeCbor(content(box))]));
}

function byteString(bytes: Buffer): Buffer {
  const head = bytes.length < 24 ? [0x40 | bytes.length] : [0x59, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** RFC 8949, definite lengths only; keys of maps become text. */
function decodeCbor(bytes: Buffer): unknown {
  let at = 0;
  const next = (): unknown => {
    const first = bytes[at++]!;
    const major = first >> 5;
    const more = first & 31;
    const width = more < 24 ? 0 : 2 ** (more - 24);
    const value =
      more < 24 ? more : width === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, width);
    at += width;
    if (major === 0) return value;
    if (major === 1) return -1 - value;
    if (major === 2) return bytes.subarray(at, (at += value));
    if (major === 3) return bytes.toString('utf8', at, (at += value));
    if (major === 4) return Array.from({ length: value }, next);
    if (major === 5) return Object.fromEntries(Array.from({ length: value }, () => [String(next()), next()]));
    if (major === 6) return next();
    return { 20: false, 21: true, 22: null }[value];
  };
  return next();
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
