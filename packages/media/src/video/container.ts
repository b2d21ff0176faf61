import { open } from 'node:fs/promises';
import { sniffImage } from '../image/sniff.ts';
import { MediaError } from '../media-error.ts';
import type { VideoContainer } from './video-types.ts';

/** Types of boxes that may begin a QuickTime file older than `ftyp`. */
const OLD_QUICKTIME_BOX_TYPES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

/** Bytes at the start of a file that `sniffContainer` needs. */
const CONTAINER_SNIFF_BYTES = 4096;

/**
 * Finds the container by content; names and declared types are ignored. Matroska counts only if it
 * calls itself WebM, and no playlist or script is accepted under any name.
 * @param head the file's first bytes; 4096 are enough
 */
export function sniffContainer(head: Uint8Array): VideoContainer | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length >= 13 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  if (bytes.length >= 12) {
    const box = bytes.toString('latin1', 4, 8);
    // A HEIC or AVIF file, even of a sequence, begins like an MP4 and is not a video.
    if (box === 'ftyp' && sniffImage(bytes) !== null) return null;
    if (box === 'ftyp') return bytes.toString('latin1', 8, 12) === 'qt  ' ? 'mov' : 'mp4';
    if (OLD_QUICKTIME_BOX_TYPES.has(box)) return 'mov';
  }
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0x1a45dfa3) {
    // EBML header, DocType (0x4282): for a name this short, its length takes one byte.
    const at = bytes.indexOf(Buffer.from([0x42, 0x82]));
    if (at > 0 && at + 3 < bytes.length) {
      const length = (bytes[at + 2] ?? 0) & 0x7f;
      if (bytes.toString('latin1', at + 3, at + 3 + length).replace(/\0+$/, '') === 'webm') return 'webm';
    }
  }
  return null;
}

/**
 * Finds container and size of a file.
 * @throws MediaError UNREADABLE for an empty file, UNSUPPORTED for anything but the four containers
 */
export async function readContainer(
  filePath: string,
): Promise<{ container: VideoContainer; sizeBytes: number }> {
  const file = await open(filePath, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw new MediaError('UNREADABLE', 'The video is empty.');
    const head = Buffer.alloc(CONTAINER_SNIFF_BYTES);
    const { bytesRead } = await file.read(head, 0, CONTAINER_SNIFF_BYTES, 0);
    const container = sniffContainer(head.subarray(0, bytesRead));
    if (container === null) {
      throw new MediaError('UNSUPPORTED', 'The file is not an MP4, MOV, WebM or GIF.');
    }
    return { container, sizeBytes: size };
  } finally {
    await file.close();
  }
}
