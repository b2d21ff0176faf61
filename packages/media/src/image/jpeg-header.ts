import type { RangeReader } from '../range-reader.ts';
import { unreadable } from '../media-error.ts';
import { type Orientation, readOrientation } from './exif-orientation.ts';
import type { ImageHeader } from './header.ts';
import { jpegSegments } from '../container/jpeg-segments.ts';

/** Marker of the application segment that holds EXIF (ITU-T T.81, table B.1). */
const APP1_MARKER = 0xe1;

/** Returns whether a marker starts a frame: C0 to CF without DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Reads all segments up to the first scan, because EXIF may come before or after the frame header.
 */
export async function readJpegHeader(reader: RangeReader): Promise<ImageHeader> {
  let size: { width: number; height: number } | null = null;
  let orientation: Orientation | null = null;
  for await (const { marker, offset, length } of jpegSegments(reader)) {
    if (isFrame(marker)) {
      const frame = await reader.read(offset + 1, 4);
      size ??= { height: frame.readUInt16BE(0), width: frame.readUInt16BE(2) };
    } else if (marker === APP1_MARKER) {
      const segment = await reader.read(offset, length);
      // The first EXIF block counts, as in libvips.
      if (segment.toString('latin1', 0, 6) === 'Exif\0\0') orientation ??= readOrientation(segment);
    }
  }
  if (!size) throw unreadable('the JPEG has no frame header');
  return { ...size, orientation: orientation ?? 1 };
}
