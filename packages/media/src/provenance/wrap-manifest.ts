import { userBox } from '../container/bmff-boxes.ts';
import { writePngChunk } from '../container/png-chunks.ts';

/** C2PA, embedding into BMFF files: the user type of the box that holds the manifest. */
export const C2PA_USER_TYPE = 'd8fec3d61b0e483c92975828877ec481';

/** The types of file that can carry a manifest inside. */
export type SignableType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif'
  | 'video/mp4'
  | 'video/quicktime';

const WRAPPERS: Readonly<Record<SignableType, (manifest: Uint8Array) => Buffer>> = {
  'image/png': (manifest) => writePngChunk('caBX', manifest),
  'image/jpeg': jpegSegment,
  'image/webp': webpChunk,
  'image/gif': gifExtension,
  'video/mp4': bmffBox,
  'video/quicktime': bmffBox,
};

/** Whether files of this type can carry a manifest inside. */
export function isSignable(contentType: string): contentType is SignableType {
  return Object.hasOwn(WRAPPERS, contentType);
}

/**
 * Wraps a manifest as its container wants it: the bytes to insert into a file of this type.
 * Source: C2PA 2.x, embedding manifests into assets.
 * @throws RangeError for a manifest that does not fit
 */
export function wrapManifest(contentType: SignableType, manifest: Uint8Array): Buffer {
  return WRAPPERS[contentType](manifest);
}

const APP11 = 0xffeb;
const MAX_SEGMENT_BYTES = 0xffff;

/**
 * ISO/IEC 18477-3: marker, length, "JP", the box's number (any) and the packet's come before the
 * box.
 */
function jpegSegment(manifest: Uint8Array): Buffer {
  const head = Buffer.from('\0\0\0\0JP\x02\x11\0\0\0\x01', 'latin1');
  const segmentBytes = head.length - 2 + manifest.length;
  // With certificates of more than 60 kB it would take several segments.
  if (segmentBytes > MAX_SEGMENT_BYTES)
    throw new RangeError('The content credentials do not fit one JPEG segment.');
  head.writeUInt16BE(APP11, 0);
  head.writeUInt16BE(segmentBytes, 2);
  return Buffer.concat([head, manifest]);
}

/** RFC 9649, 2.3. A chunk of odd length is followed by a zero, which does not belong to it. */
function webpChunk(manifest: Uint8Array): Buffer {
  const head = Buffer.from('C2PA\0\0\0\0', 'latin1');
  head.writeUInt32LE(manifest.length, 4);
  return Buffer.concat([head, manifest]);
}

const GIF_INTRODUCER = Buffer.from('\x21\xff\x0bC2PA_GIF\x01\0\0', 'latin1');
const GIF_SUB_BLOCK_BYTES = 255;

/** An application extension: sub-blocks of up to 255 bytes, then an empty one. */
function gifExtension(manifest: Uint8Array): Buffer {
  const pieces: Uint8Array[] = [GIF_INTRODUCER];
  for (let at = 0; at < manifest.length; at += GIF_SUB_BLOCK_BYTES) {
    const block = manifest.subarray(at, at + GIF_SUB_BLOCK_BYTES);
    pieces.push(Buffer.of(block.length), block);
  }
  return Buffer.concat([...pieces, Buffer.of(0)]);
}

/** Version and flags, the purpose, the offset of a Merkle box (none), the manifest. */
function bmffBox(manifest: Uint8Array): Buffer {
  const prefix = Buffer.from('\0\0\0\0manifest\0\0\0\0\0\0\0\0\0', 'latin1');
  return userBox(C2PA_USER_TYPE, Buffer.concat([prefix, manifest]));
}
