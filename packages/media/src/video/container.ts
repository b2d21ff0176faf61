import type { ClipFormat } from '@guise/contract/formats.ts';
import { open } from 'node:fs/promises';
import { sniffImage } from '../image/sniff.ts';
import { MediaError } from '../media-error.ts';

/** Types of boxes that may begin a QuickTime file older than `ftyp`. */
const OLD_QUICKTIME_BOX_TYPES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

/** Bytes at the start of a file that `sniffContainer` needs. */
const CONTAINER_SNIFF_BYTES = 4096;

/** Packets of a transport stream: plain, and with an arrival time before each (BDAV, AVCHD). */
const TS_PACKET_BYTES = [
  { bytes: 188, syncAt: 0 },
  { bytes: 192, syncAt: 4 },
];
/** Byte with which every packet of a transport stream begins (ISO 13818-1). */
const TS_SYNC = 0x47;
/** Smallest number of packets that identify a transport stream. */
const MIN_TS_PACKETS = 3;

/**
 * Finds the container by content. Names and declared types are ignored. Playlists and scripts are
 * refused under every name.
 * @param head the file's first bytes; 4096 are enough
 */
export function sniffContainer(head: Uint8Array): ClipFormat | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length >= 13 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  if (bytes.length >= 12) {
    const box = bytes.toString('latin1', 4, 8);
    // A HEIC or AVIF file, even one with a sequence, begins like an MP4 but is not a video.
    if (box === 'ftyp' && sniffImage(bytes) !== null) return null;
    if (box === 'ftyp') return bytes.toString('latin1', 8, 12) === 'qt  ' ? 'mov' : 'mp4';
    if (OLD_QUICKTIME_BOX_TYPES.has(box)) return 'mov';
    if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'AVI ') return 'avi';
  }
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0x1a45dfa3) {
    // Finds DocType (0x4282) in the EBML header. The length of such a short name takes one byte.
    const at = bytes.indexOf(Buffer.from([0x42, 0x82]));
    if (at > 0 && at + 3 < bytes.length) {
      const length = (bytes[at + 2] ?? 0) & 0x7f;
      const type = bytes.toString('latin1', at + 3, at + 3 + length).replace(/\0+$/, '');
      if (type === 'webm') return 'webm';
      if (type === 'matroska') return 'mkv';
    }
  }
  return isTransportStream(bytes) ? 'ts' : null;
}

function isTransportStream(head: Buffer): boolean {
  return TS_PACKET_BYTES.some(({ bytes, syncAt }) => {
    if (head.length < MIN_TS_PACKETS * bytes) return false;
    for (let at = syncAt; at < head.length; at += bytes) if (head[at] !== TS_SYNC) return false;
    return true;
  });
}

/**
 * Finds the container of a file.
 * @throws MediaError UNREADABLE for an empty file, RESOURCE_LIMIT for one with more bytes than
 * `maxSizeBytes`, UNSUPPORTED for any other container
 */
export async function readContainer(filePath: string, maxSizeBytes = Infinity): Promise<ClipFormat> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  if (size === 0) throw new MediaError('UNREADABLE', 'The video is empty.');
  const head = Buffer.alloc(CONTAINER_SNIFF_BYTES);
  const { bytesRead } = await file.read(head, 0, CONTAINER_SNIFF_BYTES, 0);
  const container = sniffContainer(head.subarray(0, bytesRead));
  if (container === null) {
    throw new MediaError('UNSUPPORTED', 'The file is not an MP4, MOV, WebM, Matroska, AVI, MPEG-TS or GIF.');
  }
  if (size > maxSizeBytes) {
    throw new MediaError('RESOURCE_LIMIT', 'The video file is too large.', { limit: maxSizeBytes });
  }
  return container;
}
