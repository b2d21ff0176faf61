/**
 * How a stored picture is turned (EXIF 2.32, tag 0x0112). 1 is upright, 2 to 4 keep the sides, and
 * 5 to 8 swap width and height.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Tag of the orientation in an image file directory. */
const ORIENTATION_TAG = 0x0112;

/** TIFF's number for values of 16 bits. */
const TIFF_SHORT_TYPE = 3;

/** Number that follows the byte order in every TIFF structure. */
const TIFF_MAGIC = 42;

/** Bytes that precede the TIFF structure in a JPEG. */
const EXIF_PREFIX = Buffer.from('Exif\0\0', 'latin1');

/**
 * Reads the orientation from an EXIF block, with or without its `Exif\0\0` prefix. Returns 1 for a
 * block that has none or is damaged, because damaged metadata must not make a picture unreadable.
 */
export function readOrientation(block: Buffer): Orientation {
  const tiff = block.subarray(0, 6).equals(EXIF_PREFIX) ? block.subarray(6) : block;
  if (tiff.length < 8) return 1;
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  if (u16(2) !== TIFF_MAGIC) return 1;
  const directory = u32(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = u16(directory);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 1;
    if (u16(entry) !== ORIENTATION_TAG || u16(entry + 2) !== TIFF_SHORT_TYPE || u32(entry + 4) !== 1)
      continue;
    const value = u16(entry + 8);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}
