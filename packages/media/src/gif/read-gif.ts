import { MediaError } from '../media-error.ts';
import type { VideoLimits } from '../video/video-types.ts';
import { GifBlocks, type GifImageBlock } from './gif-blocks.ts';
import { lzwDecode } from './lzw.ts';
import { GifMeter } from './probe-gif.ts';

export interface GifPicture {
  /** The whole canvas as RGBA with alpha 0 or 255. Valid until the next picture is requested. */
  rgba: Uint8Array;
  width: number;
  height: number;
  timeSeconds: number;
  /** Delay in hundredths of a second, as stored. */
  delayCs: number;
  loop: number | null;
  /** Whether the picture has fewer pixels than its header says. */
  damaged: boolean;
}

/**
 * Yields every picture of a GIF as a viewer shows it, with one canvas in memory.
 * @throws MediaError as `probeGif` does
 */
export async function* readGifFrames(
  filePath: string,
  limits: VideoLimits,
): AsyncGenerator<GifPicture, void, undefined> {
  await using blocks = await GifBlocks.open(filePath, true);
  const { width, height } = blocks.screen;
  const meter = new GifMeter(blocks.screen, limits);
  const canvas = new Uint8Array(width * height * 4);
  let kept: Uint8Array | null = null;
  for await (const image of blocks.images()) {
    const timeSeconds = meter.seconds;
    meter.add(image);
    if (image.disposal === 3) kept = canvas.slice();
    const whole = draw(canvas, width, height, image, image.palette ?? blocks.screen.palette);
    yield {
      rgba: canvas,
      width,
      height,
      timeSeconds,
      delayCs: image.delayCs,
      loop: blocks.loop,
      damaged: !whole,
    };
    if (image.disposal === 2) clear(canvas, width, height, image);
    else if (image.disposal === 3 && kept !== null) canvas.set(kept);
  }
  meter.finish();
}

/**
 * Draws a picture on the canvas.
 * @returns whether its data held all pixels
 */
function draw(
  canvas: Uint8Array,
  width: number,
  height: number,
  image: GifImageBlock,
  palette: Uint8Array | null,
): boolean {
  if (image.width * image.height > width * height * 4) {
    // An image block may extend beyond the canvas, but one many times its size only serves to
    // exhaust memory.
    throw new MediaError('UNREADABLE', 'The GIF cannot be read: a picture is larger than its canvas.');
  }
  const colours = palette ?? new Uint8Array(0);
  const indexes = new Uint8Array(image.width * image.height);
  const written = lzwDecode(image.data, image.lzwMinimumBits, indexes);
  const visibleWidth = Math.max(0, Math.min(image.width, width - image.left));
  for (let row = 0; row < image.height; row += 1) {
    const y = image.top + (image.interlaced ? interlacedRow(row, image.height) : row);
    if (y >= height) continue;
    const from = row * image.width;
    const available = Math.min(visibleWidth, written - from);
    let to = (y * width + image.left) * 4;
    for (let column = 0; column < available; column += 1, to += 4) {
      const index = indexes[from + column]!;
      const at = index * 3;
      if (index === image.transparentIndex || at + 2 >= colours.length) continue;
      canvas[to] = colours[at]!;
      canvas[to + 1] = colours[at + 1]!;
      canvas[to + 2] = colours[at + 2]!;
      canvas[to + 3] = 255;
    }
  }
  return written === indexes.length;
}

/**
 * Returns where a stored row is shown (GIF89a, appendix E). Rows are stored in four passes: every
 * 8th row from 0, every 8th from 4, every 4th from 2, every 2nd from 1.
 */
function interlacedRow(stored: number, height: number): number {
  let left = stored;
  for (const [start, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const) {
    const rows = Math.max(0, Math.ceil((height - start) / step));
    if (left < rows) return start + left * step;
    left -= rows;
  }
  return height;
}

function clear(canvas: Uint8Array, width: number, height: number, image: GifImageBlock): void {
  const right = Math.min(width, image.left + image.width);
  const bottom = Math.min(height, image.top + image.height);
  for (let y = image.top; y < bottom; y += 1) {
    if (right > image.left) canvas.fill(0, (y * width + image.left) * 4, (y * width + right) * 4);
  }
}
