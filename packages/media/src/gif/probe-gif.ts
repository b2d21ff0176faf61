import { MediaError } from '../media-error.ts';
import { checkSides, framesPerSecond, frameBudget, tooLong, tooManyFrames } from '../video/measure.ts';
import type { VideoLimits, VideoProbe } from '../video/video-types.ts';
import { GifBlocks, type GifImageBlock, type GifScreen } from './gif-blocks.ts';

/**
 * Largest product of canvas pixels and pictures. 30 s of 640 x 480 at 30 frames/s are below it;
 * 50,000 pictures of 2000 x 2000 are not.
 */
export const MAX_GIF_TOTAL_PIXELS = 400_000_000;

/**
 * Returns how long a viewer shows a picture, which decides price and limits. Browsers show a delay
 * of 0 or 1 hundredths as 10.
 */
export function shownDelayCs(storedCs: number): number {
  return storedCs <= 1 ? 10 : storedCs;
}

/**
 * Adds up a GIF's pictures and throws at the first limit, so that a hostile file is not read to its
 * end.
 */
export class GifMeter {
  frames = 0;
  #delayCs = 0;
  readonly #limits: VideoLimits;
  readonly #canvasPixels: number;

  constructor(screen: GifScreen, limits: VideoLimits) {
    checkSides(screen.width, screen.height, limits, 'GIF');
    if (screen.width === 0 || screen.height === 0) {
      throw new MediaError('UNREADABLE', 'The GIF cannot be read: its size is missing.');
    }
    this.#limits = limits;
    this.#canvasPixels = screen.width * screen.height;
  }

  get seconds(): number {
    return this.#delayCs / 100;
  }

  add(image: GifImageBlock): void {
    this.frames += 1;
    this.#delayCs += shownDelayCs(image.delayCs);
    const { maxSeconds } = this.#limits;
    // A single picture with a long delay is a still.
    if (this.#delayCs > maxSeconds * 100 && this.frames > 1) throw tooLong(maxSeconds);
    const budget = frameBudget(this.#limits);
    if (this.frames > budget) throw tooManyFrames(budget);
    if (this.frames * this.#canvasPixels > MAX_GIF_TOTAL_PIXELS && this.frames > 1) {
      throw new MediaError(
        'TOO_MANY_PIXELS',
        `The GIF has more than ${MAX_GIF_TOTAL_PIXELS} pixels over all its pictures.`,
        {
          limit: MAX_GIF_TOTAL_PIXELS,
        },
      );
    }
  }

  finish(): void {
    if (this.frames === 0) throw new MediaError('UNREADABLE', 'The GIF cannot be read: it holds no picture.');
  }
}

/**
 * Describes a GIF without decoding its pictures. Safe in any process, because the reader is our own
 * TypeScript.
 * @throws MediaError UNREADABLE, TOO_MANY_PIXELS, TOO_LONG, TOO_MANY_FRAMES
 */
export async function probeGif(filePath: string, limits: VideoLimits): Promise<VideoProbe> {
  await using blocks = await GifBlocks.open(filePath, false);
  const meter = new GifMeter(blocks.screen, limits);
  let alpha = false;
  for await (const image of blocks.images()) {
    // In the first picture, transparency shows through. Later pictures use it to keep pixels
    // unchanged.
    if (meter.frames === 0) {
      const covers =
        image.left === 0 &&
        image.top === 0 &&
        image.width >= blocks.screen.width &&
        image.height >= blocks.screen.height;
      alpha = image.transparentIndex !== null || !covers;
    }
    if (image.disposal === 2) alpha = true;
    meter.add(image);
  }
  meter.finish();
  return {
    container: 'gif',
    contentType: 'image/gif',
    videoCodec: 'gif',
    width: blocks.screen.width,
    height: blocks.screen.height,
    durationSeconds: meter.seconds,
    frameCount: meter.frames,
    framesPerSecond: framesPerSecond(meter.frames, meter.seconds, limits),
    audioCodec: null,
    hdr: null,
    alpha,
    bitDepth: 8,
    rotation: 0,
    truncated: blocks.truncated,
  };
}
