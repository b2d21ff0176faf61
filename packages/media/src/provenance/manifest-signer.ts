import { createHash } from 'node:crypto';
import { blobOfBytes, loadC2pa } from './c2pa-module.ts';
import { array, byteString, integer, map, textString } from './cbor.ts';
import { BUILDER_SETTINGS, manifestDefinition, type Claim } from './claim.ts';
import { coseSign1, coseSizeBytes } from './cose.ts';
import { childOf, parseJumbf, type JumbfBox } from './jumbf.ts';
import type { SigningIdentity } from './signing-identity.ts';
import { standInFor } from './stand-in.ts';
import { type SignableType, wrappedBytes } from './wrap-manifest.ts';

/**
 * The facts about a finished file that are needed to sign it, and that reveal nothing of its
 * picture.
 */
export interface ManifestRequest {
  readonly contentType: SignableType;
  /**
   * SHA-256 of all its bytes without the wrapped manifest. For MP4 and MOV: of its boxes as C2PA
   * hashes them.
   */
  readonly mediaSha256: Uint8Array;
  /** Offset in bytes at which the wrapped manifest is inserted. Ignored for MP4 and MOV. */
  readonly at: number;
  /** What in the program made the file, such as `mesh 0.2.0`. The manifest says so. */
  readonly madeWith?: string;
}

/** Signs manifests for files that it never sees. */
export interface ManifestSigner {
  /**
   * Returns the length in bytes of every manifest for this type. A file's layout is fixed before
   * the file is signed. @param madeWith as in the request
   */
  manifestBytes(contentType: SignableType, madeWith?: string): Promise<number>;
  /**
   * Makes the signed manifest of one file.
   * @throws RangeError for a hash or an offset that no file has
   */
  sign(request: ManifestRequest): Promise<Uint8Array>;
}

/** Length of a SHA-256. */
const SHA256_BYTES = 32;
/** Largest offset that a manifest can hold. */
const MAX_OFFSET_BYTES = 2 ** 32 - 1;
/** Label of the hard binding to a file as a whole (C2PA, hard bindings). */
const DATA_HASH_LABEL = 'c2pa.hash.data';
/** Label of the hard binding to the boxes of MP4 and MOV (C2PA, hard bindings). */
const BMFF_HASH_LABEL = 'c2pa.hash.bmff.v3';

/**
 * Makes a signer for one identity and one claim. c2pa-wasm makes each manifest, with its own ids,
 * for a stand-in of a few bytes. Then the binding to the stand-in is replaced by the binding to the
 * file, and the whole is signed once. Takes 1 ms per file, and 70 ms and 40 MB the first time.
 */
export function createManifestSigner(identity: SigningIdentity, claim: Claim): ManifestSigner {
  const sizes = new Map<string, number>();
  return {
    async manifestBytes(contentType, madeWith) {
      const key = `${contentType} ${madeWith}`;
      const known = sizes.get(key);
      if (known !== undefined) return known;
      const { length } = await unsignedManifest(contentType, manifestDefinition(claim, madeWith), identity);
      sizes.set(key, length);
      return length;
    },
    async sign(request) {
      if (request.mediaSha256.length !== SHA256_BYTES) throw new RangeError('Not a SHA-256.');
      if (!(Number.isInteger(request.at) && request.at >= 0 && request.at <= MAX_OFFSET_BYTES))
        throw new RangeError(`No file has a place at ${request.at}.`);
      const definition = manifestDefinition(claim, request.madeWith);
      const manifest = await unsignedManifest(request.contentType, definition, identity);
      bind(manifest, request);
      return signInPlace(manifest, identity);
    },
  };
}

async function unsignedManifest(
  contentType: SignableType,
  definition: string,
  identity: SigningIdentity,
): Promise<Buffer> {
  const { WasmBuilder } = await loadC2pa();
  const builder = WasmBuilder.fromJson(definition, BUILDER_SETTINGS);
  const reserveSize = coseSizeBytes(identity);
  const blank = {
    alg: identity.algorithm,
    reserveSize,
    sign: () => Promise.resolve(new Uint8Array(reserveSize)),
  };
  try {
    const { type, bytes } = standInFor(contentType);
    const { manifest } = await builder.signAndGetManifestBytes(blank, [], type, blobOfBytes(bytes));
    return Buffer.from(manifest);
  } finally {
    builder.free();
  }
}

/**
 * Replaces the binding to the stand-in with a binding of equal length, and its hash in the claim.
 * Nothing else depends on the binding.
 */
function bind(manifest: Buffer, request: ManifestRequest): void {
  const active = activeManifest(manifest);
  const isBoxes = request.contentType.startsWith('video/');
  const binding = childOf(childOf(active, 'c2pa.assertions'), isBoxes ? BMFF_HASH_LABEL : DATA_HASH_LABEL);
  const standInHash = hashOfBox(manifest, binding);
  const content = contentOf(manifest, binding);
  if (isBoxes)
    replaceOnce(content, standInFor(request.contentType).mediaSha256(manifest), request.mediaSha256);
  else content.set(dataBinding(request, manifest, content.length));
  replaceOnce(
    contentOf(manifest, childOf(active, 'c2pa.claim.v2')),
    standInHash,
    hashOfBox(manifest, binding),
  );
}

function signInPlace(manifest: Buffer, identity: SigningIdentity): Buffer {
  const active = activeManifest(manifest);
  const signature = contentOf(manifest, childOf(active, 'c2pa.signature'));
  const cose = coseSign1(identity, contentOf(manifest, childOf(active, 'c2pa.claim.v2')));
  if (cose.length !== signature.length) throw new Error('The signature does not fit the place kept for it.');
  signature.set(cose);
  return manifest;
}

/**
 * Makes the assertion `c2pa.hash.data`, padded to `sizeBytes`, with the SHA-256 of everything
 * except the wrapped manifest.
 */
function dataBinding(
  { contentType, mediaSha256, at }: ManifestRequest,
  manifest: Buffer,
  sizeBytes: number,
): Buffer {
  const hole = map([
    [textString('start'), integer(at)],
    [textString('length'), integer(wrappedBytes(contentType, manifest.length))],
  ]);
  const padded = (padBytes: number): Buffer =>
    map([
      [textString('exclusions'), array([hole])],
      [textString('name'), textString('jumbf manifest')],
      [textString('alg'), textString('sha256')],
      [textString('hash'), byteString(mediaSha256)],
      [textString('pad'), byteString(new Uint8Array(padBytes))],
    ]);
  const padBytes = sizeBytes - padded(0).length;
  const binding = padded(Math.max(0, padBytes));
  if (binding.length !== sizeBytes) throw new Error('The manifest is not laid out as expected.');
  return binding;
}

function activeManifest(manifest: Buffer): JumbfBox {
  return parseJumbf(manifest).children.at(-1)!;
}

/** Hashes a box as a reference to it does: the bytes after its head (C2PA, hashed URIs). */
function hashOfBox(bytes: Buffer, { start, end }: JumbfBox): Buffer {
  return createHash('sha256')
    .update(bytes.subarray(start + 8, end))
    .digest();
}

/** Returns a view of the box's content in `bytes`. */
function contentOf(bytes: Buffer, { content, label }: JumbfBox): Buffer {
  if (!content) throw new Error(`The manifest's ${label} is empty.`);
  return bytes.subarray(content.start, content.end);
}

function replaceOnce(bytes: Buffer, old: Buffer, replacement: Uint8Array): void {
  const at = bytes.indexOf(old);
  if (at < 0 || bytes.includes(old, at + 1)) throw new Error('The manifest is not laid out as expected.');
  bytes.set(replacement, at);
}
