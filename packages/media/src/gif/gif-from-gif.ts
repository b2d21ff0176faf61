import { MediaError } from '../media-error.ts';
import { lookAhead } from '../video/look-ahead.ts';
import type { ClipPart, ProcessOptions, ProcessResult, VideoLimits } from '../video/video-types.ts';
import { Animation } from './animation.ts';
import { probeGif, shownDelayCs } from './probe-gif.ts';
import { readGifFrames, type GifPicture } from './read-gif.ts';
import { RgbaFrame } from './rgba-frame.ts';

/**
 * Edits a GIF, without node-av, and writes a GIF with the same size, delays, loop count and
 * transparency; see `processVideo`.
 */
export async function gifFromGif(limits: VideoLimits, options: ProcessOptions): Promise<ProcessResult> {
  const probe = await probeGif(options.inputPath, limits);
  if (
    Math.min(probe.width, probe.height) > (options.maxShortSide ?? Infinity) ||
    Math.max(probe.width, probe.height) > (options.maxLongSide ?? Infinity)
  ) {
    throw new MediaError('TOO_MANY_PIXELS', 'The GIF is larger than asked for, and GIFs are not scaled.');
  }
  const seconds = options.part ? options.part.endSeconds - options.part.startSeconds : probe.durationSeconds;
  const share = options.part ? seconds / Math.max(seconds, probe.durationSeconds) : 1;
  const expected = Math.max(1, Math.round(share * probe.frameCount));
  await using animation = await Animation.create(options.outputPath, probe.width, probe.height, expected);
  let loop: number | null = null;
  let damaged = 0;
  // Editing is the first half of the work; quantising and writing is the second. Progress counts
  // both.
  const report = (done: number, framesDone: number) =>
    options.onProgress?.({
      framesDone,
      secondsDone: (framesDone / expected) * seconds,
      fraction: Math.min(1, done / (2 * expected)),
    });
  for await (const picture of lookAhead(ownPictures(limits, options), options.ahead)) {
    options.signal?.throwIfAborted();
    await options.onFrame?.(picture.view);
    await animation.add(picture.rgba, picture.delayCs);
    loop = picture.loop;
    if (picture.damaged) damaged += 1;
    report(animation.frameCount, animation.frameCount);
  }
  if (damaged * 2 > animation.frameCount) throw new MediaError('DAMAGED', 'The GIF is damaged.');
  const result = await animation.write(loop, false, (written) => {
    options.signal?.throwIfAborted();
    report(expected + written, expected);
  });
  return { ...result, damagedFrames: damaged };
}

/**
 * Yields the pictures. Edited pictures (by `onFrame`) are copies, because the next picture is drawn
 * on the same canvas.
 */
export async function* ownPictures(
  limits: VideoLimits,
  { inputPath, onFrame, part }: Pick<ProcessOptions, 'inputPath' | 'onFrame' | 'part'>,
): AsyncGenerator<GifPicture & { readonly view: RgbaFrame }, void, undefined> {
  let index = 0;
  for await (const picture of partOfGif(readGifFrames(inputPath, limits), part)) {
    const { width, height, timeSeconds } = picture;
    const rgba = onFrame === undefined ? picture.rgba : picture.rgba.slice();
    yield { ...picture, rgba, view: new RgbaFrame(rgba, width, height, index, timeSeconds) };
    index += 1;
  }
}

/**
 * Yields the pictures that are on the screen during a part, each with its delay within the part.
 */
async function* partOfGif(
  pictures: AsyncIterable<GifPicture>,
  part: ClipPart | undefined,
): AsyncGenerator<GifPicture, void, undefined> {
  if (part === undefined) {
    yield* pictures;
    return;
  }
  const fromCs = Math.round(100 * part.startSeconds);
  const toCs = Math.round(100 * part.endSeconds);
  for await (const picture of pictures) {
    const beginCs = Math.round(100 * picture.timeSeconds);
    const endCs = beginCs + shownDelayCs(picture.delayCs);
    if (endCs <= fromCs) continue;
    if (beginCs >= toCs) return;
    const isWhole = beginCs >= fromCs && endCs <= toCs;
    yield {
      ...picture,
      timeSeconds: Math.max(0, beginCs - fromCs) / 100,
      // A delay of 1 would be shown as 10; see `shownDelayCs`.
      delayCs: isWhole ? picture.delayCs : Math.max(2, Math.min(endCs, toCs) - Math.max(beginCs, fromCs)),
    };
  }
}
