import type { RangeReader } from '../range-reader.ts';
import { unreadable } from '../media-error.ts';
import { type Orientation, readOrientation } from './exif-orientation.ts';
import type { ImageHeader } from './header.ts';
import { pngChunks } from '../container/png-chunks.ts';

/** Length of the body of IHDR. */
const IHDR_BYTES = 13;

/** Longest EXIF block that is read. `RangeReader.read` returns at most this much at once. */
const MAX_EXIF_BYTES = 65_536;

/**
 * Reads IHDR, then looks for eXIf in the chunks before the pixels (PNG, third edition, 11.2.1 and
 * 11.3.4.5).
 */
export async function readPngHeader(reader: RangeReader): Promise<ImageHeader> {
  let size: { width: number; height: number } | null = null;
  let orientation: Orientation = 1;
  for await (const { type, offset, length } of pngChunks(reader)) {
    if (size === null) {
      if (type !== 'IHDR' || length !== IHDR_BYTES)
        throw unreadable('the PNG does not start with its header');
      const header = await reader.read(offset, IHDR_BYTES);
      size = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
    }
    if (type === 'IDAT') return { ...size, orientation };
    if (type === 'eXIf' && length <= MAX_EXIF_BYTES)
      orientation = readOrientation(await reader.read(offset, length));
  }
  throw unreadable('the PNG has no pixels');
}
