import type { RangeReader } from '../range-reader.ts';
import { unreadable } from '../media-error.ts';
import { type Orientation, readOrientation } from './exif-orientation.ts';
import type { ImageHeader } from './header.ts';
import { webpChunks } from '../container/webp-chunks.ts';

/** Offset of the first chunk, after `RIFF`, the file's length and `WEBP`. */
const FIRST_CHUNK_OFFSET = 12;

/** Bit of VP8X's flags that announces EXIF. */
const EXIF_FLAG = 0x08;

/** Longest EXIF block that is read. `RangeReader.read` returns at most this much at once. */
const MAX_EXIF_BYTES = 65_536;

/**
 * Reads a simple lossy (VP8), simple lossless (VP8L) or extended (VP8X) WebP (RFC 9649). Only the
 * extended form can hold EXIF.
 */
export async function readWebpHeader(reader: RangeReader): Promise<ImageHeader> {
  const head = await reader.read(FIRST_CHUNK_OFFSET, 18);
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

/** Looks for EXIF, which comes after all frames. */
async function findOrientation(reader: RangeReader): Promise<Orientation> {
  for await (const { type, offset, length } of webpChunks(reader)) {
    if (type === 'EXIF' && length <= MAX_EXIF_BYTES)
      return readOrientation(await reader.read(offset, length));
  }
  return 1;
}
