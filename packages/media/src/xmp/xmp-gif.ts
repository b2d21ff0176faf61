import { open, type FileHandle } from 'node:fs/promises';
import type { WrittenFile } from '../write-durably.ts';
import { endOfPalette } from '../container/gif-palette.ts';
import { rewriteFile } from '../rewrite-file.ts';
import { bytesAt } from '../container/bytes-at.ts';

/**
 * Head of the application extension that holds the packet (XMP part 3, ISO 16684-3). The packet
 * follows without sub-blocks.
 */
const XMP_EXTENSION_HEAD = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');

/**
 * Bytes that end the packet: 1, then 255 down to 0, then 0. A reader that expects sub-blocks
 * reaches one of these bytes, reads it as a length, and so jumps to the final zero.
 */
const MAGIC_TRAILER = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);

/** Longest packet that is read. A longer packet counts as missing. */
const MAX_PACKET_BYTES = 1024 * 1024;

/** First byte of every extension block (GIF89a, 24 to 26). */
const EXTENSION_INTRODUCER = 0x21;

/**
 * Puts the packet before a GIF's frames, in place.
 * @throws Error if the file is not a GIF, or has a packet already
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
    yield Buffer.concat([XMP_EXTENSION_HEAD, body, MAGIC_TRAILER]);
    yield* copy(framesStart, sizeBytes);
  });
}

/**
 * Reads the packet before a GIF's first frame; null if there is none.
 * @throws Error if the file is not a GIF
 */
export async function readXmpFromGif(filePath: string): Promise<string | null> {
  await using file = await open(filePath, 'r');
  return await findPacket(file, await endOfPalette(file));
}

/**
 * Looks for the packet in the first 64 extensions before the first frame. The limit bounds the work
 * on a hostile file.
 */
async function findPacket(file: FileHandle, start: number): Promise<string | null> {
  let at = start;
  for (let extensions = 0; extensions < 64; extensions++) {
    const head = await bytesAt(file, at, XMP_EXTENSION_HEAD.length);
    if (head[0] !== EXTENSION_INTRODUCER) return null;
    if (head.equals(XMP_EXTENSION_HEAD)) {
      const window = await bytesAt(
        file,
        at + XMP_EXTENSION_HEAD.length,
        MAX_PACKET_BYTES + MAGIC_TRAILER.length,
      );
      const end = window.indexOf(MAGIC_TRAILER);
      return end < 0 ? null : window.toString('utf8', 0, end);
    }
    at = await endOfSubBlocks(file, at + 2);
  }
  return null;
}

/**
 * Finds the end of an extension's sub-blocks. All are read through one window, because a colour
 * profile has thousands of them.
 */
async function endOfSubBlocks(file: FileHandle, start: number): Promise<number> {
  const window = await bytesAt(file, start, MAX_PACKET_BYTES);
  let at = 0;
  while (at < window.length && window[at] !== 0) at += 1 + window[at]!;
  return start + at + 1;
}
