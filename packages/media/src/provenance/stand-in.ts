import { createHash, type Hash } from 'node:crypto';
import { type SignableType, wrappedBytes } from './wrap-manifest.ts';

/** A file of a few bytes for which c2pa-wasm makes a manifest. */
export interface StandIn {
  /** Type that c2pa-wasm gets. */
  readonly type: 'image/png' | 'video/mp4';
  readonly bytes: Uint8Array;
  /** Returns the SHA-256 of the boxes of a stand-in for MP4 and MOV, as its manifest holds it. */
  mediaSha256(manifest: Uint8Array): Buffer;
}

/** PNG of one pixel, the stand-in for stills and GIFs. */
export const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
/** Box that names the type of the stand-in for MP4 and MOV. */
const FILE_TYPE_BOX = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1');
/** Box of media data without any. */
const MEDIA_DATA_BOX = Buffer.from('\0\0\0\x08mdat', 'latin1');
/** Stand-in for MP4 and MOV, without a movie. */
const EMPTY_MP4 = Buffer.concat([FILE_TYPE_BOX, MEDIA_DATA_BOX]);

/**
 * Returns the stand-in for a type. Manifests differ by how they are bound to a file: to all of its
 * bytes, or to its boxes.
 */
export function standInFor(contentType: SignableType): StandIn {
  const isBoxes = contentType.startsWith('video/');
  return {
    type: isBoxes ? 'video/mp4' : 'image/png',
    bytes: isBoxes ? EMPTY_MP4 : PIXEL_PNG,
    mediaSha256(manifest) {
      const hash = createHash('sha256');
      hashBoxOffset(hash, FILE_TYPE_BOX.length + wrappedBytes(contentType, manifest.length));
      return hash.update(MEDIA_DATA_BOX).digest();
    },
  };
}

/**
 * Hashes the offset of a box at the top level, 8 bytes, which comes before its bytes (C2PA,
 * BMFF-based hash).
 */
export function hashBoxOffset(hash: Hash, offset: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(offset));
  hash.update(bytes);
}
