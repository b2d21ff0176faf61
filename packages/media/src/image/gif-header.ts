import type { RangeReader } from '../range-reader.ts';
import { unreadable } from '../media-error.ts';
import type { ImageHeader } from './header.ts';

/** First byte of every extension block (GIF89a, 24 to 26). */
const EXTENSION_INTRODUCER = 0x21;

/** First byte of an image descriptor (GIF89a, 20). */
const IMAGE_SEPARATOR = 0x2c;

/**
 * Returns the size of the colour table that a packed field announces (GIF89a, 18 and 20), or 0 if
 * there is none.
 */
const colourTableBytes = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * (2 << (packed & 7)));

/**
 * Reads the logical screen. As in browsers, it is enlarged if the first frame reaches beyond it.
 * Other frames are not read.
 */
export async function readGifHeader(reader: RangeReader): Promise<ImageHeader> {
  const screen = await reader.read(6, 7);
  const screenWidth = screen.readUInt16LE(0);
  const screenHeight = screen.readUInt16LE(2);
  let offset = 13 + colourTableBytes(screen[4]!);
  for (;;) {
    const introducer = (await reader.read(offset, 1))[0]!;
    if (introducer === IMAGE_SEPARATOR) {
      const frame = await reader.read(offset + 1, 8);
      return {
        width: Math.max(screenWidth, frame.readUInt16LE(0) + frame.readUInt16LE(4)),
        height: Math.max(screenHeight, frame.readUInt16LE(2) + frame.readUInt16LE(6)),
        orientation: 1,
      };
    }
    if (introducer !== EXTENSION_INTRODUCER) throw unreadable('the GIF has no frame');
    offset = await skipSubBlocks(reader, offset + 2);
  }
}

async function skipSubBlocks(reader: RangeReader, from: number): Promise<number> {
  for (let offset = from; ;) {
    const length = (await reader.read(offset, 1))[0]!;
    offset += 1 + length;
    if (length === 0) return offset;
  }
}
