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
  'image/jpeg': jpegSegments,
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
 * Offset of the box in the body of a JPEG segment, after "JP", the number of the box and the number
 * of the packet.
 */
export const JPEG_BOX_OFFSET = 8;

/** Length of a JUMBF box's head, which each JPEG segment of the box repeats. */
export const BOX_HEAD_BYTES = 8;
/** Largest piece of a box that fits one segment. */
const MAX_PIECE_BYTES = MAX_SEGMENT_BYTES - 2 - JPEG_BOX_OFFSET;

/** Makes the JPEG segments that carry a box (ISO/IEC 18477-3), usually one. */
function jpegSegments(manifest: Uint8Array): Buffer {
  const head = manifest.subarray(0, BOX_HEAD_BYTES);
  const segments = [jpegSegment(1, manifest.subarray(0, MAX_PIECE_BYTES))];
  const pieceBytes = MAX_PIECE_BYTES - BOX_HEAD_BYTES;
  for (let at = MAX_PIECE_BYTES; at < manifest.length; at += pieceBytes)
    segments.push(jpegSegment(segments.length + 1, head, manifest.subarray(at, at + pieceBytes)));
  return Buffer.concat(segments);
}

/**
 * Makes a JPEG segment: marker, length, "JP", the number of the box (any value), the number of the
 * packet, counted from 1, and a piece of the box.
 */
function jpegSegment(packet: number, ...piece: readonly Uint8Array[]): Buffer {
  const head = Buffer.from('\0\0\0\0JP\x02\x11\0\0\0\0', 'latin1');
  const segment = Buffer.concat([head, ...piece]);
  segment.writeUInt16BE(APP11_MARKER, 0);
  segment.writeUInt16BE(segment.length - 2, 2);
  segment.writeUInt32BE(packet, head.length - 4);
  return segment;
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
export const GIF_EXTENSION_HEAD = Buffer.from('\x21\xff\x0bC2PA_GIF\x01\0\0', 'latin1');
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
