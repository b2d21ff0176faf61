import type { FileHandle } from 'node:fs/promises';

/** Length of a GIF's signature and logical screen descriptor (GIF89a, 17 and 18). */
const HEADER_BYTES = 13;

/**
 * Offset of the header's flags (GIF89a, 18). Their lower three bits hold the size of the global
 * palette: 2^(bits + 1) colours.
 */
const HEADER_FLAGS_OFFSET = 10;

/** Bit of the header's flags that announces a global palette. */
const GLOBAL_PALETTE_FLAG = 0x80;

/**
 * Returns the offset of the first byte after a GIF's header and global palette.
 * @throws Error if the file is not a GIF
 */
export async function endOfPalette(file: FileHandle): Promise<number> {
  const header = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
  if (bytesRead < HEADER_BYTES || !/^GIF8[79]a/.test(header.toString('latin1')))
    throw new Error('Not a GIF.');
  const flags = header[HEADER_FLAGS_OFFSET]!;
  return HEADER_BYTES + ((flags & GLOBAL_PALETTE_FLAG) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
}
