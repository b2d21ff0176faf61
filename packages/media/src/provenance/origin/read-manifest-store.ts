import { open, type FileHandle } from 'node:fs/promises';
import { topLevelBoxes } from '../../container/bmff-boxes.ts';
import { endOfPalette } from '../../container/gif-palette.ts';
import { jpegSegments } from '../../container/jpeg-segments.ts';
import { pngChunks } from '../../container/png-chunks.ts';
import { webpChunks } from '../../container/webp-chunks.ts';
import { sniffImage, SNIFF_BYTES } from '../../image/sniff.ts';
import { RangeReader } from '../../range-reader.ts';
import { MAX_STORE_BYTES } from '../parent-store.ts';
import { BOX_HEAD_BYTES, C2PA_USER_TYPE, GIF_EXTENSION_HEAD, JPEG_BOX_OFFSET } from '../wrap-manifest.ts';
import { bytesAt } from '../../container/bytes-at.ts';

/** Second byte of the marker of the JPEG segments that carry JUMBF boxes. */
const APP11_MARKER = 0xeb;
/** Start of the body of the BMFF box with the manifest: version, flags and purpose. */
const BMFF_PURPOSE = Buffer.from('\0\0\0\0manifest\0', 'latin1');
/** Length of the offset that follows the purpose. */
const MERKLE_OFFSET_BYTES = 8;
/** Largest number of extensions before a GIF's first frame that are read. */
const MAX_GIF_EXTENSIONS = 64;
/** First byte of every extension of a GIF (GIF89a, 24 to 26). */
const GIF_EXTENSION_INTRODUCER = 0x21;

/**
 * Reads the C2PA manifest store in a file, as opaque bytes.
 * @returns null for a file that has none, whose store is too large, or that is damaged
 */
export async function readManifestStore(filePath: string): Promise<Buffer | null> {
  try {
    return (await readStore(filePath)) ?? (await readMovingStore(filePath));
  } catch {
    return null;
  }
}

async function readStore(filePath: string): Promise<Buffer | null> {
  await using reader = await RangeReader.open(filePath);
  const format = sniffImage(await reader.read(0, Math.min(SNIFF_BYTES, reader.sizeBytes)));
  if (format === 'jpeg') return await readJpeg(reader);
  const chunks = format === 'png' ? pngChunks(reader) : format === 'webp' ? webpChunks(reader) : [];
  for await (const { type, offset, length } of chunks)
    if (type === (format === 'png' ? 'caBX' : 'C2PA'))
      return await reader.readWhole(offset, length, MAX_STORE_BYTES);
  return null;
}

/** Joins the segments of a JPEG that carry the first JUMBF box (ISO/IEC 18477-3). */
async function readJpeg(reader: RangeReader): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let box: Buffer | null = null;
  for await (const { marker, offset, length } of jpegSegments(reader)) {
    if (marker !== APP11_MARKER || length < JPEG_BOX_OFFSET + BOX_HEAD_BYTES) continue;
    const body = await reader.readWhole(offset, length, MAX_STORE_BYTES);
    if (body.toString('latin1', 0, 2) !== 'JP') continue;
    // "JP" is followed by the number of the box, which all segments of a box share.
    box ??= body.subarray(2, 4);
    if (!body.subarray(2, 4).equals(box)) continue;
    pieces.push(body.subarray(JPEG_BOX_OFFSET + (pieces.length === 0 ? 0 : BOX_HEAD_BYTES)));
    if (pieces.reduce((sum, piece) => sum + piece.length, 0) > MAX_STORE_BYTES) return null;
  }
  return pieces.length === 0 ? null : Buffer.concat(pieces);
}

async function readMovingStore(filePath: string): Promise<Buffer | null> {
  await using file = await open(filePath, 'r');
  const signature = (await bytesAt(file, 0, 4)).toString('latin1');
  return signature === 'GIF8' ? await readGif(file) : await readBmff(file);
}

async function readGif(file: FileHandle): Promise<Buffer | null> {
  let at = await endOfPalette(file);
  for (let extensions = 0; extensions < MAX_GIF_EXTENSIONS; extensions++) {
    const head = await bytesAt(file, at, GIF_EXTENSION_HEAD.length);
    if (head[0] !== GIF_EXTENSION_INTRODUCER) return null;
    const isStore = head.equals(GIF_EXTENSION_HEAD);
    const from = at + (isStore ? GIF_EXTENSION_HEAD.length : 2);
    const window = await bytesAt(file, from, 2 * MAX_STORE_BYTES);
    const { content, end } = joinSubBlocks(window);
    if (isStore) return content.length > MAX_STORE_BYTES ? null : content;
    at = from + end;
  }
  return null;
}

/** Joins the sub-blocks of a GIF's extension, up to the empty one that ends it. */
function joinSubBlocks(window: Buffer): { content: Buffer; end: number } {
  const blocks: Buffer[] = [];
  let at = 0;
  while (at < window.length && window[at] !== 0) {
    const next = at + 1 + window[at]!;
    blocks.push(window.subarray(at + 1, next));
    at = next;
  }
  return { content: Buffer.concat(blocks), end: at + 1 };
}

/** Reads the store of an MP4, MOV, HEIC or AVIF file. */
async function readBmff(file: FileHandle): Promise<Buffer | null> {
  const boxes = await topLevelBoxes(file, (await file.stat()).size);
  const box = boxes.find(({ userType }) => userType === C2PA_USER_TYPE);
  if (!box || box.end - box.bodyStart > MAX_STORE_BYTES) return null;
  const body = await bytesAt(file, box.bodyStart, box.end - box.bodyStart);
  if (!body.subarray(0, BMFF_PURPOSE.length).equals(BMFF_PURPOSE)) return null;
  return body.subarray(BMFF_PURPOSE.length + MERKLE_OFFSET_BYTES);
}
