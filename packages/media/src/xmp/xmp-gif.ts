import { open, type FileHandle } from 'node:fs/promises';
import type { WrittenFile } from '../write-durably.ts';
import { endOfPalette } from '../container/gif-palette.ts';
import { rewriteFile } from '../rewrite-file.ts';

/**
 * XMP part 3 (ISO 16684-3): an application extension; the packet stands in it without sub-blocks.
 */
const INTRODUCER = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/**
 * Leads a reader that takes the packet for sub-blocks out of it: whatever length it lands with, it
 * arrives at the zero that ends the extension. 1, then 255 down to 0, then 0.
 */
const MAGIC_TRAILER = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);

const MAX_PACKET_BYTES = 1024 * 1024;
const EXTENSION = 0x21;

/**
 * Puts the packet in front of a GIF's frames, in place. @throws Error for a file that is no GIF or
 * has a packet
 */
export async function writeXmpToGif(filePath: string, packet: string): Promise<WrittenFile> {
  const body = Buffer.from(packet);
  if (body.includes(0)) throw new Error('A packet in a GIF must not contain a zero byte.');
  return await rewriteFile(filePath, async function* ({ file, sizeBytes, copy }) {
    const framesStart = await endOfPalette(file);
    if (await findPacket(file, framesStart)) throw new Error('The GIF has an XMP packet already.');
    // Extensions came with version 89a.
    yield Buffer.from('GIF89a', 'latin1');
    yield* copy(6, framesStart);
    yield Buffer.concat([INTRODUCER, body, MAGIC_TRAILER]);
    yield* copy(framesStart, sizeBytes);
  });
}

/**
 * The packet in front of a GIF's first frame; null where there is none. @throws Error for a file
 * that is no GIF
 */
export async function readXmpFromGif(filePath: string): Promise<string | null> {
  const file = await open(filePath, 'r');
  try {
    return await findPacket(file, await endOfPalette(file));
  } finally {
    await file.close();
  }
}

/**
 * Walks the extensions in front of the first frame. Those of a GIF from elsewhere may be many: 64
 * are looked at.
 */
async function findPacket(file: FileHandle, start: number): Promise<string | null> {
  let at = start;
  for (let extensions = 0; extensions < 64; extensions++) {
    const head = await bytesAt(file, at, INTRODUCER.length);
    if (head[0] !== EXTENSION) return null;
    if (head.equals(INTRODUCER)) {
      const window = await bytesAt(file, at + INTRODUCER.length, MAX_PACKET_BYTES + MAGIC_TRAILER.length);
      const end = window.indexOf(MAGIC_TRAILER);
      return end < 0 ? null : window.toString('utf8', 0, end);
    }
    at = await endOfSubBlocks(file, at + 2);
  }
  return null;
}

/** Reads through a window: an extension such as a colour profile has thousands of sub-blocks. */
async function endOfSubBlocks(file: FileHandle, start: number): Promise<number> {
  const window = await bytesAt(file, start, MAX_PACKET_BYTES);
  let at = 0;
  while (at < window.length && window[at] !== 0) at += 1 + window[at]!;
  return start + at + 1;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
