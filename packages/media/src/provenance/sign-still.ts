import { createHash } from 'node:crypto';
import { PNG_SIGNATURE } from '../container/png-chunks.ts';
import type { ManifestSigner } from './manifest-signer.ts';
import { wrapManifest } from './wrap-manifest.ts';

/** A file in two parts: the wrapped manifest goes between them. */
interface Halves {
  readonly before: readonly Uint8Array[];
  readonly after: readonly Uint8Array[];
}

type StillType = 'image/png' | 'image/jpeg' | 'image/webp';

const HALVE: Readonly<Record<StillType, (bytes: Uint8Array, wrappedBytes: number) => Halves>> = {
  'image/png': halvePng,
  'image/jpeg': halveJpeg,
  'image/webp': halveWebp,
};

/**
 * The pieces, in order, of a signed copy of a PNG, JPEG or WebP file held in memory; none of them
 * is copied. Signing is a file's last change, because any later one makes the credentials wrong;
 * XMP must be in it already.
 * @throws Error for bytes that are not of that type
 */
export async function signStill(
  bytes: Uint8Array,
  contentType: string,
  signer: ManifestSigner,
): Promise<Uint8Array[]> {
  if (!isStill(contentType)) throw new Error(`${contentType} is no type of still that is signed.`);
  const blank = new Uint8Array(await signer.manifestBytes(contentType));
  const { before, after } = HALVE[contentType](bytes, wrapManifest(contentType, blank).length);
  const hash = createHash('sha256');
  for (const piece of [...before, ...after]) hash.update(piece);
  const at = before.reduce((sum, piece) => sum + piece.length, 0);
  const manifest = await signer.sign({ contentType, mediaSha256: hash.digest(), at });
  return [...before, wrapManifest(contentType, manifest), ...after];
}

function isStill(contentType: string): contentType is StillType {
  return Object.hasOwn(HALVE, contentType);
}

/** Signature, and IHDR's 13 bytes with their length, type and CRC. */
const PNG_HEAD_BYTES = PNG_SIGNATURE.length + 25;

function halvePng(bytes: Uint8Array): Halves {
  requireHead(bytes, PNG_SIGNATURE, 'PNG');
  return { before: [bytes.subarray(0, PNG_HEAD_BYTES)], after: [bytes.subarray(PNG_HEAD_BYTES)] };
}

const START_OF_IMAGE = Buffer.of(0xff, 0xd8);

function halveJpeg(bytes: Uint8Array): Halves {
  requireHead(bytes, START_OF_IMAGE, 'JPEG');
  const { length } = START_OF_IMAGE;
  return { before: [bytes.subarray(0, length)], after: [bytes.subarray(length)] };
}

/** RFC 9649, 2.4: "RIFF", the size of everything behind these 8 bytes, "WEBP". */
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
