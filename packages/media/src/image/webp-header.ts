import type { RangeReader } from '../range-reader.ts';
import { unreadable } from '../media-error.ts';
import { type Orientation, readOrientation } from './exif-orientation.ts';
import type { ImageHeader } from './header.ts';
import { webpChunks } from '../container/webp-chunks.ts';

const FIRST_CHUNK = 12;
const EXIF_FLAG = 0x08;
const MAX_EXIF_BYTES = 65_536;

/**
 * RFC 9649: simple lossy (VP8), simple lossless (VP8L) or extended (VP8X), which alone can hold
 * EXIF.
 */
export async function readWebpHeader(reader: RangeReader): Promise<ImageHeader> {
  const head = await reader.read(FIRST_CHUNK, 18);
  const type = head.toString('latin1', 0, 4);
  const body = head.subarray(8);
  if (type === 'VP8 ') {
    if (body.readUIntBE(3, 3) !== 0x9d012a) throw unreadable('the WebP has no key frame');
    const width = body.readUInt16LE(6) & 0x3fff;
    return { width, height: body.readUInt16LE(8) & 0x3fff, orientation: 1 };
  }
  if (type === 'VP8L') {
    if (body[0] !== 0x2f) throw unreadable('the WebP has no lossless signature');
    const bits = body.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, orientation: 1 };
  }
  if (type !== 'VP8X') throw unreadable('the WebP does not start with an image');
  const width = body.readUIntLE(4, 3) + 1;
  const height = body.readUIntLE(7, 3) + 1;
  const hasExif = (body[0]! & EXIF_FLAG) !== 0;
  return { width, height, orientation: hasExif ? await findOrientation(reader) : 1 };
}

/** EXIF comes after all the frames. */
async function findOrientation(reader: RangeReader): Promise<Orientation> {
  for await (const { type, offset, length } of webpChunks(reader)) {
    if (type === 'EXIF' && length <= MAX_EXIF_BYTES)
      return readOrientation(await reader.read(offset, length));
  }
  return 1;
}
