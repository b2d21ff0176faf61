import type { FileHandle } from 'node:fs/promises';

const HEADER_BYTES = 13;
/**
 * The header's flags, GIF89a 18: a global palette follows, of 2 to the power of the lower three
 * bits plus one colours.
 */
const FLAGS_AT = 10;
const HAS_PALETTE = 0x80;

/**
 * Offset of the first byte behind a GIF's header and global palette. @throws Error for a file that
 * is no GIF
 */
export async function endOfPalette(file: FileHandle): Promise<number> {
  const header = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
  if (bytesRead < HEADER_BYTES || !/^GIF8[79]a/.test(header.toString('latin1')))
    throw new Error('Not a GIF.');
  const flags = header[FLAGS_AT]!;
  return HEADER_BYTES + ((flags & HAS_PALETTE) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
}
