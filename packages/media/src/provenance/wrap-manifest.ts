import { userBox } from '../container/bmff-boxes.ts';
import { writePngChunk } from '../container/png-chunks.ts';

/** User type of the box that holds the manifest (C2PA, embedding into BMFF files). */
export const C2PA_USER_TYPE = 'd8fec3d61b0e483c92975828877ec481';

/** Content type of files that can hold a manifest. */
export type SignableType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif'
  | 'video/mp4'
  | 'video/quicktime';

/** Functions, by content type, that wrap a manifest. */
const WRAPPER_OF_TYPE: Readonly<Record<SignableType, (manifest: Uint8Array) => Buffer>> = {
  'image/png': (manifest) => writePngChunk('caBX', manifest),
  'image/jpeg': jpegSegment,
  'image/webp': webpChunk,
  'image/gif': gifExtension,
  'video/mp4': bmffBox,
  'video/quicktime': bmffBox,
};

/** Returns whether files of this type can hold a manifest. */
export function isSignable(contentType: string): contentType is SignableType {
  return Object.hasOwn(WRAPPER_OF_TYPE, contentType);
}

/**
 * Wraps a manifest into the bytes to insert into a file of this type (C2PA 2.x, embedding manifests
 * into assets).
 * @throws RangeError for a manifest that does not fit
 */
export function wrapManifest(contentType: SignableType, manifest: Uint8Array): Buffer {
  return WRAPPER_OF_TYPE[contentType](manifest);
}

/**
 * Returns the number of bytes that a manifest of this length takes in a file, including its
 * wrapping.
 */
export function wrappedBytes(contentType: SignableType, manifestBytes: number): number {
  return wrapManifest(contentType, new Uint8Array(manifestBytes)).length;
}

/** Marker of the JPEG segments that carry JUMBF boxes. */
const APP11_MARKER = 0xffeb;
/** Largest length of a JPEG segment, its length field included. */
const MAX_SEGMENT_BYTES = 0xffff;

/**
 * Makes a JPEG segment (ISO/IEC 18477-3): marker, length, "JP", the number of the box (any value),
 * the number of the packet, and the box.
 */
function jpegSegment(manifest: Uint8Array): Buffer {
  const head = Buffer.from('\0\0\0\0JP\x02\x11\0\0\0\x01', 'latin1');
  const segmentBytes = head.length - 2 + manifest.length;
  // Certificates of more than 60 kB would need several segments.
  if (segmentBytes > MAX_SEGMENT_BYTES)
    throw new RangeError('The content credentials do not fit one JPEG segment.');
  head.writeUInt16BE(APP11_MARKER, 0);
  head.writeUInt16BE(segmentBytes, 2);
  return Buffer.concat([head, manifest]);
}

/**
 * Makes a WebP chunk. The zero byte that follows a chunk of odd length is not part of it (RFC 9649,
 * 2.3).
 */
function webpChunk(manifest: Uint8Array): Buffer {
  const head = Buffer.from('C2PA\0\0\0\0', 'latin1');
  head.writeUInt32LE(manifest.length, 4);
  return Buffer.concat([head, manifest]);
}

/** Head of the GIF application extension that carries a manifest. */
const GIF_EXTENSION_HEAD = Buffer.from('\x21\xff\x0bC2PA_GIF\x01\0\0', 'latin1');
/** Longest sub-block of a GIF. */
const MAX_GIF_SUB_BLOCK_BYTES = 255;

/** Makes a GIF application extension: sub-blocks of up to 255 bytes, then an empty sub-block. */
function gifExtension(manifest: Uint8Array): Buffer {
  const pieces: Uint8Array[] = [GIF_EXTENSION_HEAD];
  for (let at = 0; at < manifest.length; at += MAX_GIF_SUB_BLOCK_BYTES) {
    const block = manifest.subarray(at, at + MAX_GIF_SUB_BLOCK_BYTES);
    pieces.push(Buffer.of(block.length), block);
  }
  return Buffer.concat([...pieces, Buffer.of(0)]);
}

/**
 * Makes a user box: version and flags, purpose, offset of a Merkle box (0, because there is none),
 * and manifest.
 */
function bmffBox(manifest: Uint8Array): Buffer {
  const prefix = Buffer.from('\0\0\0\0manifest\0\0\0\0\0\0\0\0\0', 'latin1');
  return userBox(C2PA_USER_TYPE, Buffer.concat([prefix, manifest]));
}
