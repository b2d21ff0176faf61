import { lumaGrid } from '@guise/kernels/scale/luma-grid.ts';
import { lookAtClip } from '../clip/look-at-clip.ts';
import { decodeImage } from '../image/decode.ts';
import { MediaError } from '../media-error.ts';
import { GRID_SIDE } from './carrier.ts';
import { findWatermark } from './find-watermark.ts';
import type { FoundWatermark } from './found-watermark.ts';
import { foundIn } from './find-pattern.ts';
import { readPattern } from './read-pattern.ts';

/** A watermark whose id is in lower-case hex. */
export interface ReadWatermark extends Omit<FoundWatermark, 'id'> {
  readonly id: string;
}

/** Largest picture that is searched, pixels. */
const MAX_PIXELS = 50_000_000;
/** Largest number of a clip's pictures that are read, and the time after which no other is. */
const [MAX_LOOKS, LOOK_MS] = [40, 8000];
/**
 * Searches a picture, video or GIF for the watermark. Call it in a child process, because it runs
 * native decoders on untrusted files.
 * @returns null if there is none, or if the file is damaged or too large
 */
export async function readWatermark(filePath: string, contentType: string): Promise<ReadWatermark | null> {
  try {
    const isClip = contentType.startsWith('video/') || contentType === 'image/gif';
    const found = await (isClip ? readClip(filePath) : readStill(filePath));
    return found && { ...found, id: Buffer.from(found.id).toString('hex') };
  } catch (error) {
    if (error instanceof MediaError) return null;
    throw error;
  }
}

async function readStill(filePath: string): Promise<FoundWatermark | null> {
  const { rgb } = await decodeImage(filePath, { maxPixels: MAX_PIXELS });
  return findWatermark({ ...rgb, stride: 3 * rgb.width, channels: 3 });
}

/** Reads what all pictures of a clip have in common. */
async function readClip(inputPath: string): Promise<FoundWatermark | null> {
  const since = performance.now();
  const sum = new Float32Array(GRID_SIDE ** 2);
  let count = 0;
  await lookAtClip({
    inputPath,
    from: 0,
    mostLooks: MAX_LOOKS,
    onLook: (frame) => {
      const grid = lumaGrid({ ...frame.luma(), channels: 1 }, GRID_SIDE);
      for (let k = 0; k < sum.length; k++) sum[k]! += grid[k]!;
      count += 1;
      return Promise.resolve();
    },
    goesOn: () => performance.now() - since < LOOK_MS,
  });
  if (count === 0) return null;
  const mean = sum.map((value) => value / count);
  return foundIn(readPattern(mean));
}
