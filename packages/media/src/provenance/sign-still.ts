import { PNG_SIGNATURE, writePngChunk } from '../image/png-chunks.ts';
import { blobOfBytes, loadC2pa } from './c2pa-module.ts';
import { BUILDER_SETTINGS, manifestDefinition, signerOf, type Claim } from './claim.ts';
import { resignManifest, sha256 } from './resign-manifest.ts';
import type { SigningIdentity } from './signing-identity.ts';

/** c2pa-wasm holds a file twice while it signs it, and a memory that runs out takes the process down. */
const MAX_WHOLE_BYTES = 140 * 1024 * 1024;

/** With what, and what is said. */
interface Signer {
  readonly identity: SigningIdentity;
  readonly claim: Claim;
}

/**
 * The pieces, in order, of a signed copy of a PNG, JPEG, WebP or GIF file held in memory. Signing is a file's last change,
 * because any later one makes the credentials wrong; XMP must be in it already. A PNG or JPEG of one megabyte takes
 * 3 ms and no copy; another type 7 ms and four times its bytes.
 * @throws Error for bytes that are not of that type, or more than 140 MiB of another type than PNG and JPEG
 */
export async function signStill(
  bytes: Uint8Array,
  contentType: string,
  identity: SigningIdentity,
  claim: Claim,
): Promise<Uint8Array[]> {
  const signer = { identity, claim };
  if (contentType === 'image/png') return await signPng(bytes, signer);
  if (contentType === 'image/jpeg') return await signJpeg(bytes, signer);
  return [(await signWhole(bytes, contentType, signer)).asset];
}

// PNG and JPEG are not given to c2pa-wasm whole. It signs a small file that begins like the real one, up to and beyond
// where the credentials go, and they move from there to the real one. What they hold of a file is the SHA-256 of
// everything else in it, which Node computes seven times faster and without copies: c2pa-wasm takes 4 s and 900 MB
// for a PNG of 140 MB, and ends the process on one of 190 MB.

/** Signature, and IHDR's 13 bytes with their length, type and CRC; c2pa-wasm puts the manifest right behind. */
const PNG_HEAD_BYTES = PNG_SIGNATURE.length + 25;

async function signPng(bytes: Uint8Array, signer: Signer): Promise<Uint8Array[]> {
  const head = bytes.subarray(0, PNG_HEAD_BYTES);
  const [data, end] = ['IDAT', 'IEND'].map((type) => writePngChunk(type, new Uint8Array())) as [
    Buffer,
    Buffer,
  ];
  const standIn = Buffer.concat([head, data, end]);
  const { manifest } = await signWhole(standIn, 'image/png', signer);
  const chunk = writePngChunk('caBX', moveManifest(manifest, standIn, bytes, signer));
  return [head, chunk, bytes.subarray(PNG_HEAD_BYTES)];
}

const END_OF_IMAGE = Buffer.of(0xff, 0xd9);
const START_OF_SCAN = 0xda;

async function signJpeg(bytes: Uint8Array, signer: Signer): Promise<Uint8Array[]> {
  const standIn = Buffer.concat([bytes.subarray(0, endOfScanHeader(bytes)), END_OF_IMAGE]);
  const { asset, manifest } = await signWhole(standIn, 'image/jpeg', signer);
  const at = firstDifference(asset, standIn);
  const segment = Buffer.from(asset.subarray(at, at + asset.length - standIn.length));
  const manifestAt = segment.indexOf(manifest);
  // With certificates of more than 60 kB it would take several segments.
  if (manifestAt < 0) throw new Error('The content credentials do not fit one JPEG segment.');
  segment.set(moveManifest(manifest, standIn, bytes, signer), manifestAt);
  return [bytes.subarray(0, at), segment, bytes.subarray(at)];
}

function moveManifest(
  manifest: Uint8Array,
  from: Uint8Array,
  to: Uint8Array,
  { identity }: Signer,
): Uint8Array {
  return resignManifest(manifest, { from: sha256(from), to: sha256(to) }, identity);
}

/** @throws Error where the bytes are no JPEG as encoders write it: segments with nothing between, then a scan */
function endOfScanHeader(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const end = at + 2 + view.getUint16(at + 2);
    if (bytes[at + 1] === START_OF_SCAN && end <= bytes.length) return end;
    at = end;
  }
  throw new Error('The bytes are not a JPEG.');
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  let at = 0;
  while (at < b.length && a[at] === b[at]) at++;
  return at;
}

async function signWhole(
  bytes: Uint8Array,
  contentType: string,
  { identity, claim }: Signer,
): Promise<{ asset: Uint8Array; manifest: Uint8Array }> {
  if (bytes.length > MAX_WHOLE_BYTES) throw new Error('The file is too large to be signed.');
  const { WasmBuilder } = await loadC2pa();
  const builder = WasmBuilder.fromJson(manifestDefinition(claim), BUILDER_SETTINGS);
  try {
    return await builder.signAndGetManifestBytes(signerOf(identity), [], contentType, blobOfBytes(bytes));
  } finally {
    builder.free();
  }
}
