import type { ClipFormat } from '@guise/contract/formats.ts';
import zlib from 'node:zlib';
import { jpegSegments } from '../container/jpeg-segments.ts';
import { pngChunks } from '../container/png-chunks.ts';
import { sniffImage, SNIFF_BYTES } from '../image/sniff.ts';
import { webpChunks } from '../container/webp-chunks.ts';
import { RangeReader } from '../range-reader.ts';
import { sniffContainer } from '../video/container.ts';
import { readXmpFromBmff } from '../xmp/xmp-bmff.ts';
import { readXmpFromGif } from '../xmp/xmp-gif.ts';
import { readXmpFromWebm } from '../xmp/xmp-webm.ts';
import { parseXmp, type Provenance } from '../xmp/xmp.ts';

/** Largest XMP packet that is read, compressed or not. */
const MAX_PACKET_BYTES = 1024 * 1024;

/** Start of the APP1 segment that holds a JPEG's packet (XMP part 3, ISO 16684-3). */
const JPEG_XMP_PREFIX = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');

/** Start of the iTXt chunk that holds a PNG's packet (XMP part 3, ISO 16684-3). */
const PNG_XMP_PREFIX = Buffer.from('XML:com.adobe.xmp\0', 'latin1');

/** Marker of the JPEG segments that may hold XMP (ITU-T T.81, table B.1). */
const APP1_MARKER = 0xe1;

/** Bytes at the start of a file that `sniffContainer` needs. */
const CONTAINER_HEAD_BYTES = 4096;

/**
 * Reads how a PNG, JPEG, WebP, GIF, MP4, MOV or WebM file says it was made, from its XMP.
 * @returns null for a file without such XMP, and for every other format
 * @throws MediaError UNREADABLE for a damaged file; the file system's own error for a missing one
 */
export async function readProvenance(filePath: string): Promise<Provenance | null> {
  await using reader = await RangeReader.open(filePath);
  const format = sniffImage(await reader.read(0, Math.min(SNIFF_BYTES, reader.sizeBytes)));
  if (format === 'png') return await readPng(reader);
  if (format === 'jpeg') return await readJpeg(reader);
  if (format === 'webp') return await readWebp(reader);
  const head = await reader.read(0, Math.min(CONTAINER_HEAD_BYTES, reader.sizeBytes));
  const packet = await readMoving(filePath, sniffContainer(head));
  return packet === null ? null : parseXmp(packet);
}

async function readMoving(filePath: string, container: ClipFormat | null): Promise<string | null> {
  if (container === 'gif') return await readXmpFromGif(filePath);
  if (container === 'webm') return await readXmpFromWebm(filePath);
  return container === 'mp4' || container === 'mov' ? await readXmpFromBmff(filePath) : null;
}

async function readJpeg(reader: RangeReader): Promise<Provenance | null> {
  for await (const { marker, offset, length } of jpegSegments(reader)) {
    if (marker !== APP1_MARKER || length < JPEG_XMP_PREFIX.length) continue;
    const body = await reader.read(offset, length);
    if (body.subarray(0, JPEG_XMP_PREFIX.length).equals(JPEG_XMP_PREFIX)) {
      return parseXmp(body.toString('utf8', JPEG_XMP_PREFIX.length));
    }
  }
  return null;
}

async function readWebp(reader: RangeReader): Promise<Provenance | null> {
  for await (const { type, offset, length } of webpChunks(reader)) {
    if (type === 'XMP ')
      return parseXmp((await reader.readWhole(offset, length, MAX_PACKET_BYTES)).toString('utf8'));
  }
  return null;
}

async function readPng(reader: RangeReader): Promise<Provenance | null> {
  for await (const { type, offset, length } of pngChunks(reader)) {
    if (type !== 'iTXt' || length < PNG_XMP_PREFIX.length + 4 || length > MAX_PACKET_BYTES) continue;
    const body = await reader.readWhole(offset, length, MAX_PACKET_BYTES);
    if (body.subarray(0, PNG_XMP_PREFIX.length).equals(PNG_XMP_PREFIX))
      return parseXmp(internationalText(body));
  }
  return null;
}

/**
 * Reads the text of an iTXt chunk. The keyword is followed by a compression flag, method,
 * language\0, translated keyword\0 and the text.
 */
function internationalText(body: Buffer): string {
  const isCompressed = body[PNG_XMP_PREFIX.length] === 1;
  const languageEnd = body.indexOf(0, PNG_XMP_PREFIX.length + 2);
  const start = body.indexOf(0, languageEnd + 1) + 1;
  if (languageEnd < 0 || start === 0) return '';
  const text = body.subarray(start);
  if (!isCompressed) return text.toString('utf8');
  try {
    return zlib.inflateSync(text, { maxOutputLength: MAX_PACKET_BYTES }).toString('utf8');
  } catch {
    // A packet that cannot be inflated, or inflates without end, counts as empty.
    return '';
  }
}
