import { lumaGrid } from '@guise/kernels/scale/luma-grid.ts';
import { lookAtClip } from '../clip/look-at-clip.ts';
import { decodeImage } from '../image/decode.ts';
import { MediaError } from '../media-error.ts';
import { GRID_SIDE } from './carrier.ts';
import { findWatermark } from './find-watermark.ts';
import { foundIn } from './find-pattern.ts';
import { readPattern } from './read-pattern.ts';

/** The watermark that was read from a file. */
export interface ReadWatermark {
  /** Six bytes in lower-case hex. */
  readonly id: string;
  /** How clearly it is read: 1 as it was put in, about 0 as chance would have it. */
  readonly confidence: number;
}

/** Largest picture that is searched, pixels. */
const MAX_PIXELS = 50_000_000;
/** Largest number of a clip's pictures that are read, and the time after which no other is. */
const [MAX_LOOKS, LOOK_MS] = [40, 8000];
/** Mean size of bits that are random. */
const RANDOM_CLEARNESS = 2 / Math.PI;
/** Mean deviation of bits that are random, and of bits that are as clear as in a new clip. */
const [RANDOM_DEVIATIONS, CLEAR_DEVIATIONS] = [0.8, 8];

/**
 * Searches a picture, video or GIF for the watermark. Call it in a child process, because it runs
 * native decoders on untrusted files.
 * @returns null if there is none, or if the file is damaged or too large
 */
export async function readWatermark(filePath: string, contentType: string): Promise<ReadWatermark | null> {
  try {
    const isClip = contentType.startsWith('video/') || contentType === 'image/gif';
    return await (isClip ? readClip(filePath) : readStill(filePath));
  } catch (error) {
    if (error instanceof MediaError) return null;
    throw error;
  }
}

async function readStill(filePath: string): Promise<ReadWatermark | null> {
  const { rgb } = await decodeImage(filePath, { maxPixels: MAX_PIXELS });
  const found = findWatermark({ ...rgb, stride: 3 * rgb.width, channels: 3 });
  return found && readAs(found.id, (found.clearness - RANDOM_CLEARNESS) / (1 - RANDOM_CLEARNESS));
}

/** Reads what all pictures of a clip have in common. */
async function readClip(inputPath: string): Promise<ReadWatermark | null> {
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
  const found = foundIn(readPattern(mean, { x: 0, y: 0, width: GRID_SIDE, height: GRID_SIDE }));
  const above = (found?.deviations ?? 0) - RANDOM_DEVIATIONS;
  return found && readAs(found.id, above / (CLEAR_DEVIATIONS - RANDOM_DEVIATIONS));
}

function readAs(id: Uint8Array, confidence: number): ReadWatermark {
  return { id: Buffer.from(id).toString('hex'), confidence: Math.max(0, Math.min(1, confidence)) };
}
