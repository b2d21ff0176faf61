import { createHash, type Hash } from 'node:crypto';
import { type SignableType, wrappedBytes } from './wrap-manifest.ts';

/**
 * A file of a few bytes that c2pa-wasm gets in place of the real file, to make a manifest for it.
 */
export interface StandIn {
  /** Content type of `bytes`. */
  readonly type: 'image/png' | 'video/mp4';
  readonly bytes: Uint8Array;
  /** Returns the SHA-256 that the stand-in's manifest holds for its boxes. Only for MP4 and MOV. */
  mediaSha256(manifest: Uint8Array): Buffer;
}

/** PNG of one pixel, the stand-in for stills and GIFs. */
export const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
/** Box that names the type of the stand-in for MP4 and MOV. */
const FILE_TYPE_BOX = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1');
/** Media data box without any data. */
const MEDIA_DATA_BOX = Buffer.from('\0\0\0\x08mdat', 'latin1');
/** Stand-in for MP4 and MOV: the two boxes above, without a movie box. */
const EMPTY_MP4 = Buffer.concat([FILE_TYPE_BOX, MEDIA_DATA_BOX]);

/**
 * Returns the stand-in for a content type. There are two, because a manifest is bound to a file
 * either by a hash of its bytes or, for MP4 and MOV, by a hash of its boxes.
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
 * Adds the offset of a top-level box to a hash, as 8 bytes. In a BMFF-based hash of C2PA, the
 * offset comes before the bytes of the box.
 */
export function hashBoxOffset(hash: Hash, offset: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(offset));
  hash.update(bytes);
}
