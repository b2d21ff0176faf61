import { decodeImage } from '../image/decode.ts';
import { MediaError } from '../media-error.ts';
import { findWatermark } from './find-watermark.ts';

/** The watermark that was read from a file. */
export interface ReadWatermark {
  /** Six bytes in lower-case hex. */
  readonly id: string;
  /** How clearly it is read: 1 as it was put in, about 0 as chance would have it. */
  readonly confidence: number;
}

/** Largest picture that is searched, pixels. */
const MAX_PIXELS = 50_000_000;
/** Mean size of bits that are random. */
const RANDOM_CLEARNESS = 2 / Math.PI;

/**
 * Searches a picture for the watermark. Call it in a child process, because it runs native decoders
 * on untrusted files.
 * @returns null if there is none, or if the file is damaged, too large or no still
 */
export async function readWatermark(filePath: string, contentType: string): Promise<ReadWatermark | null> {
  if (!contentType.startsWith('image/')) return null;
  try {
    const { rgb } = await decodeImage(filePath, { maxPixels: MAX_PIXELS });
    const found = findWatermark({ ...rgb, stride: 3 * rgb.width, channels: 3 });
    if (found === null) return null;
    const confidence = (found.clearness - RANDOM_CLEARNESS) / (1 - RANDOM_CLEARNESS);
    return { id: Buffer.from(found.id).toString('hex'), confidence: Math.max(0, Math.min(1, confidence)) };
  } catch (error) {
    if (error instanceof MediaError) return null;
    throw error;
  }
}
