import type { RangeReader } from '../range-reader.ts';
import { MediaError, unreadable } from '../media-error.ts';

/**
 * The fields of a BMP's two headers that are needed to decode its pixels ([MS-WMF] 2.2.2.3 to
 * 2.2.2.5, and OS/2's headers of 12 and 64 bytes).
 */
export interface BmpHeader {
  width: number;
  height: number;
  topDown: boolean;
  bitsPerPixel: 1 | 4 | 8 | 16 | 24 | 32;
  compression: 'none' | 'rle4' | 'rle8';
  /**
   * Bit masks of red, green, blue and alpha for 16 and 32 bits. An alpha mask of 0 means opaque.
   */
  masks: readonly [red: number, green: number, blue: number, alpha: number];
  palette: { offset: number; entries: number; entryBytes: 3 | 4 };
  pixelOffset: number;
}

/** Length of the first header, which is the same in every BMP. */
const FILE_HEADER_BYTES = 14;

/** Length of the oldest second header, which has 16-bit sides and palette entries of 3 bytes. */
const CORE_HEADER_BYTES = 12;

/** Length of OS/2's second header, which has compressions of its own. */
const OS2_HEADER_BYTES = 64;

/** Masks of 16-bit pixels if the file gives none: 5 bits a channel. */
const DEFAULT_MASKS_16 = [0x7c00, 0x03e0, 0x001f, 0] as const;

/** Masks of 32-bit pixels if the file gives none: 8 bits a channel. */
const DEFAULT_MASKS_32 = [0xff0000, 0xff00, 0xff, 0] as const;

/**
 * Reads both headers of a BMP.
 * @throws MediaError UNREADABLE for a damaged header, UNSUPPORTED for an unknown compression
 */
export async function readBmpHeader(reader: RangeReader): Promise<BmpHeader> {
  const headerBytes = (await reader.read(FILE_HEADER_BYTES, 4)).readUInt32LE(0);
  const isCore = headerBytes === CORE_HEADER_BYTES;
  // After a 40-byte header, BITFIELDS keeps its masks in 16 more bytes.
  const wanted = FILE_HEADER_BYTES + headerBytes + (headerBytes === 40 ? 16 : 0);
  const head = Buffer.alloc(FILE_HEADER_BYTES + 124);
  (await reader.read(0, Math.min(wanted, reader.sizeBytes))).copy(head);
  if (reader.sizeBytes < FILE_HEADER_BYTES + headerBytes) throw unreadable('it ends too early');

  const signedHeight = isCore ? head.readUInt16LE(20) : head.readInt32LE(22);
  const compressionCode = headerBytes >= 40 ? head.readUInt32LE(30) : 0;
  const bitsPerPixel = depthOf(head.readUInt16LE(isCore ? 24 : 28));
  const bitfields = compressionCode === 3 || compressionCode === 6;
  // OS/2 uses these numbers for other compressions.
  if (headerBytes === OS2_HEADER_BYTES && compressionCode > 2) throw unsupportedKind();
  if (bitfields && bitsPerPixel !== 16 && bitsPerPixel !== 32)
    throw unreadable('the BMP has masks and a palette');
  const entriesField = headerBytes >= 40 ? head.readUInt32LE(46) : 0;
  const colours = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0;
  return {
    width: isCore ? head.readUInt16LE(18) : Math.max(0, head.readInt32LE(18)),
    height: Math.abs(signedHeight),
    topDown: signedHeight < 0,
    bitsPerPixel,
    compression: compressionOf(compressionCode, bitsPerPixel),
    masks: bitfields ? masksOf(head, headerBytes, compressionCode) : defaultMasks(bitsPerPixel),
    palette: {
      offset: FILE_HEADER_BYTES + headerBytes,
      entries: entriesField === 0 ? colours : Math.min(colours, entriesField),
      entryBytes: isCore ? 3 : 4,
    },
    pixelOffset: head.readUInt32LE(10),
  };
}

function depthOf(bits: number): BmpHeader['bitsPerPixel'] {
  if (bits === 1 || bits === 4 || bits === 8 || bits === 16 || bits === 24 || bits === 32) return bits;
  throw unreadable('the BMP has a colour depth that does not exist');
}

function compressionOf(code: number, bitsPerPixel: number): BmpHeader['compression'] {
  if (code === 0 || code === 3 || code === 6) return 'none';
  if (code === 1 && bitsPerPixel === 8) return 'rle8';
  if (code === 2 && bitsPerPixel === 4) return 'rle4';
  throw unsupportedKind();
}

function unsupportedKind(): MediaError {
  return new MediaError('UNSUPPORTED', 'This kind of BMP compression is not accepted.');
}

const defaultMasks = (bitsPerPixel: number) => (bitsPerPixel === 16 ? DEFAULT_MASKS_16 : DEFAULT_MASKS_32);

/**
 * Reads the masks, which start at byte 54: inside the longer headers, and right after the 40-byte
 * header.
 */
function masksOf(head: Buffer, headerBytes: number, compressionCode: number): BmpHeader['masks'] {
  const alpha = headerBytes >= 56 || compressionCode === 6 ? head.readUInt32LE(66) : 0;
  return [head.readUInt32LE(54), head.readUInt32LE(58), head.readUInt32LE(62), alpha];
}
