import { createHash } from 'node:crypto';
import { PNG_SIGNATURE } from '../container/png-chunks.ts';
import type { ManifestSigner, Origin } from './manifest-signer.ts';
import { wrapManifest, wrappedBytes } from './wrap-manifest.ts';

/** A file in two parts; the wrapped manifest is inserted between them. */
interface Halves {
  readonly before: readonly Uint8Array[];
  readonly after: readonly Uint8Array[];
}

/** Type of still that is signed. */
type StillType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Functions, by type, that divide a file where its manifest is inserted. */
const HALVER_OF_TYPE: Readonly<Record<StillType, (bytes: Uint8Array, wrappedBytes: number) => Halves>> = {
  'image/png': halvePng,
  'image/jpeg': halveJpeg,
  'image/webp': halveWebp,
};

/**
 * Signs a PNG, JPEG or WebP file in memory. Signing must be the last change of the file, because
 * any later change makes the credentials invalid; so its XMP must be written before.
 * @returns the pieces of the signed file in their order; they are views, not copies
 * @throws Error for bytes that are not of that type
 */
export async function signStill(
  bytes: Uint8Array,
  contentType: string,
  signer: ManifestSigner,
  origin: Origin = {},
): Promise<Uint8Array[]> {
  if (!isStill(contentType)) throw new Error(`${contentType} is not a type of still that guise signs.`);
  const content = { ...origin, contentType };
  const insertedBytes = wrappedBytes(contentType, await signer.manifestBytes(content));
  const { before, after } = HALVER_OF_TYPE[contentType](bytes, insertedBytes);
  const hash = createHash('sha256');
  for (const piece of [...before, ...after]) hash.update(piece);
  const at = before.reduce((sum, piece) => sum + piece.length, 0);
  const manifest = await signer.sign({ ...content, mediaSha256: hash.digest(), at });
  return [...before, wrapManifest(contentType, manifest), ...after];
}

function isStill(contentType: string): contentType is StillType {
  return Object.hasOwn(HALVER_OF_TYPE, contentType);
}

/** Length of a PNG's signature and IHDR, which has 13 bytes plus their length, type and CRC. */
const PNG_HEAD_BYTES = PNG_SIGNATURE.length + 25;

function halvePng(bytes: Uint8Array): Halves {
  requireHead(bytes, PNG_SIGNATURE, 'PNG');
  return { before: [bytes.subarray(0, PNG_HEAD_BYTES)], after: [bytes.subarray(PNG_HEAD_BYTES)] };
}

/** Marker with which a JPEG begins: start of image. */
const JPEG_SIGNATURE = Buffer.of(0xff, 0xd8);

function halveJpeg(bytes: Uint8Array): Halves {
  requireHead(bytes, JPEG_SIGNATURE, 'JPEG');
  const { length } = JPEG_SIGNATURE;
  return { before: [bytes.subarray(0, length)], after: [bytes.subarray(length)] };
}

/**
 * Length of a WebP's head: "RIFF", the number of bytes after the first 8, and "WEBP" (RFC 9649,
 * 2.4).
 */
const WEBP_HEAD_BYTES = 12;

function halveWebp(bytes: Uint8Array, wrappedBytes: number): Halves {
  requireHead(bytes, Buffer.from('RIFF'), 'WebP');
  const head = Buffer.from(bytes.subarray(0, WEBP_HEAD_BYTES));
  if (head.toString('latin1', 8) !== 'WEBP' || head.readUInt32LE(4) !== bytes.length - 8)
    throw new Error('The bytes are not a WebP.');
  const padding = Buffer.alloc(wrappedBytes & 1);
  head.writeUInt32LE(bytes.length + wrappedBytes + padding.length - 8, 4);
  return { before: [head, bytes.subarray(WEBP_HEAD_BYTES)], after: [padding] };
}

function requireHead(bytes: Uint8Array, expected: Uint8Array, name: string): void {
  if (!expected.every((byte, at) => bytes[at] === byte)) throw new Error(`The bytes are not a ${name}.`);
}
