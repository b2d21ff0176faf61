/** EXIF 2.32, tag 0x0112: 1 is upright, 2 to 4 keep the sides, 5 to 8 swap width and height. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const TIFF_MAGIC = 42;
const EXIF_PREFIX = Buffer.from('Exif\0\0', 'latin1');

/**
 * The orientation in an EXIF block (TIFF structure, with or without the `Exif\0\0` before it). 1
 * where there is none or the block makes no sense: a picture with broken metadata is still a
 * picture.
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
    if (u16(entry) !== ORIENTATION_TAG || u16(entry + 2) !== SHORT || u32(entry + 4) !== 1) continue;
    const value = u16(entry + 8);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}
