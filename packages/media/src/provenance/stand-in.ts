import { createHash, type Hash } from 'node:crypto';
import { type SignableType, wrapManifest } from './wrap-manifest.ts';

/** A file of a few bytes for which c2pa-wasm makes a manifest. */
export interface StandIn {
  /** What c2pa-wasm is told that it is. */
  readonly type: 'image/png' | 'video/mp4';
  readonly bytes: Uint8Array;
  /** SHA-256 of the boxes of a stand-in for MP4 and MOV, as its manifest holds it. */
  mediaSha256(manifest: Uint8Array): Buffer;
}

/** A PNG of one pixel. */
export const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
const FILE_TYPE = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1');
const MEDIA = Buffer.from('\0\0\0\x08mdat', 'latin1');
const MOVIE = Buffer.concat([FILE_TYPE, MEDIA]);

/** Manifests differ by how they are bound to a file: to all of its bytes, or to its boxes. */
export function standInFor(contentType: SignableType): StandIn {
  const isBoxes = contentType.startsWith('video/');
  return {
    type: isBoxes ? 'video/mp4' : 'image/png',
    bytes: isBoxes ? MOVIE : PIXEL_PNG,
    mediaSha256(manifest) {
      const hash = createHash('sha256');
      hashBoxOffset(hash, FILE_TYPE.length + wrapManifest(contentType, manifest).length);
      return hash.update(MEDIA).digest();
    },
  };
}

/**
 * C2PA, BMFF-based hash: of each box at the top level its offset, 8 bytes, comes before its bytes.
 */
export function hashBoxOffset(hash: Hash, offset: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(offset));
  hash.update(bytes);
}
