import type { RangeReader } from '../range-reader.ts';
import { unreadable } from '../media-error.ts';

export interface JpegSegment {
  /** Second byte of the marker, for example 0xe1 for APP1. */
  marker: number;
  /** Offset of the body, which follows the length field. */
  offset: number;
  length: number;
}

/** Marker of the end of the image (ITU-T T.81, table B.1). */
const END_OF_IMAGE_MARKER = 0xd9;

/** Marker of the start of a scan (ITU-T T.81, table B.1). */
const START_OF_SCAN_MARKER = 0xda;

/** Returns whether a marker is followed by no length: TEM and the restart markers. */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Lists the segments before the first scan. */
export async function* jpegSegments(reader: RangeReader): AsyncGenerator<JpegSegment> {
  let offset = 2;
  for (;;) {
    const found = await nextMarker(reader, offset);
    offset = found.end;
    if (standsAlone(found.marker)) continue;
    if (found.marker === START_OF_SCAN_MARKER || found.marker === END_OF_IMAGE_MARKER) return;
    const length = (await reader.read(offset, 2)).readUInt16BE(0);
    if (length < 2) throw unreadable('a JPEG segment has no length');
    yield { marker: found.marker, offset: offset + 2, length: length - 2 };
    offset += length;
  }
}

/** Finds the next marker. Like libjpeg, skips fill bytes and stray bytes before it. */
async function nextMarker(reader: RangeReader, from: number): Promise<{ marker: number; end: number }> {
  for (let at = from; ; at++) {
    const pair = await reader.read(at, 2);
    if (pair[0] === 0xff && pair[1] !== 0xff && pair[1] !== 0x00) return { marker: pair[1]!, end: at + 2 };
  }
}
