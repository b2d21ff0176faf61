import { open } from 'node:fs/promises';
import { sniffImage } from '../image/sniff.ts';
import { MediaError } from '../media-error.ts';
import type { VideoContainer } from './video-types.ts';

/** Boxes a QuickTime file from before `ftyp` existed may begin with. */
const OLD_QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
const SNIFF_BYTES = 4096;

/**
 * The container by content; names and declared types say nothing. Matroska that does not call
 * itself WebM is not accepted (the spec names MP4, MOV, WebM and GIF), and neither is any playlist
 * or script, whatever its name.
 * @param head the file's first bytes, 4096 are enough
 */
export function sniffContainer(head: Uint8Array): VideoContainer | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length >= 13 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  if (bytes.length >= 12) {
    const box = bytes.toString('latin1', 4, 8);
    // A HEIC or AVIF file, of one picture or a sequence, begins like an MP4, and a picture is no
    // video.
    if (box === 'ftyp' && sniffImage(bytes) !== null) return null;
    if (box === 'ftyp') return bytes.toString('latin1', 8, 12) === 'qt  ' ? 'mov' : 'mp4';
    if (OLD_QUICKTIME_BOXES.has(box)) return 'mov';
  }
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0x1a45dfa3) {
    // EBML header, DocType (0x4282): the element holds its own length in one byte for a name this
    // short.
    const at = bytes.indexOf(Buffer.from([0x42, 0x82]));
    if (at > 0 && at + 3 < bytes.length) {
      const length = (bytes[at + 2] ?? 0) & 0x7f;
      if (bytes.toString('latin1', at + 3, at + 3 + length).replace(/\0+$/, '') === 'webm') return 'webm';
    }
  }
  return null;
}

/**
 * @throws MediaError UNREADABLE for an empty file, UNSUPPORTED for anything but the four containers
 */
export async function readContainer(
  filePath: string,
): Promise<{ container: VideoContainer; sizeBytes: number }> {
  const file = await open(filePath, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw new MediaError('UNREADABLE', 'The video is empty.');
    const head = Buffer.alloc(SNIFF_BYTES);
    const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0);
    const container = sniffContainer(head.subarray(0, bytesRead));
    if (container === null) {
      throw new MediaError('UNSUPPORTED', 'The file is not an MP4, MOV, WebM or GIF.');
    }
    return { container, sizeBytes: size };
  } finally {
    await file.close();
  }
}
