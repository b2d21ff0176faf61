import type { Frame } from 'node-av/lib';
import type { NodeAv } from '../video/node-av.ts';
import type { PartRange } from '../video/clip-part.ts';
import type { OpenVideo } from '../video/demux.ts';
import { readFrames, type ReaderState } from '../video/frame-reader.ts';
import { lookAhead } from '../video/look-ahead.ts';
import { toMicroseconds } from '../video/measure.ts';
import { type SizeCaps, targetSize, type TargetSize } from '../video/target-size.ts';
import type { ProcessOptions, ProcessResult, VideoLimits } from '../video/video-types.ts';
import { Animation } from './animation.ts';
import { RgbaFrame } from './rgba-frame.ts';

/**
 * Largest short side, in pixels. A GIF is about fifty times as large as the video, and 30 s of this
 * size and rate stay within the limit on a GIF's pixels.
 */
const MAX_GIF_SHORT_SIDE = 480;

/** Largest long side, in pixels: 16:9 at the largest short side. */
const MAX_GIF_LONG_SIDE = 854;

/** Highest rate of a GIF that is made from a video. */
const MAX_FRAMES_PER_SECOND = 30;

/**
 * Tolerance of the rate, so that a video of 30 pictures a second keeps every picture although its
 * time stamps are rounded.
 */
const RATE_SLACK = 1.01;

/** Returns the size of the GIF that is made from a video. */
export function gifSize(width: number, height: number, options: SizeCaps): TargetSize {
  const caps = {
    maxShortSide: Math.min(MAX_GIF_SHORT_SIDE, options.maxShortSide ?? Infinity),
    maxLongSide: Math.min(MAX_GIF_LONG_SIDE, options.maxLongSide ?? Infinity),
  };
  return targetSize(width, height, caps, false);
}

/**
 * Chooses the pictures of a video that a GIF takes, and computes their delays in GIF's hundredths
 * of a second.
 */
export class GifClock {
  readonly #every: number;
  #seen = 0;
  #kept = 0;

  /**
   * @param framesPerSecond average rate of the video; above 30, only every second, third, ...
   * picture is taken
   */
  constructor(framesPerSecond: number) {
    this.#every = Math.max(1, Math.ceil(framesPerSecond / (MAX_FRAMES_PER_SECOND * RATE_SLACK)));
  }

  /**
   * Returns whether the picture at this moment is taken. A video with a missing or wrong rate may
   * have more pictures than expected. Those above 30 a second, counted from the start, are dropped
   * to stay within the limit on a GIF's pixels.
   * @param seconds time since the video's first picture
   */
  keeps(seconds: number): boolean {
    const isTurn = this.#seen % this.#every === 0;
    this.#seen += 1;
    if (!isTurn || this.#kept > 1 + seconds * MAX_FRAMES_PER_SECOND * RATE_SLACK) return false;
    this.#kept += 1;
    return true;
  }

  /**
   * Returns a picture's delay. Both times are rounded from the clip's start, so that errors do not
   * add up. The delay is at least 2, because browsers ignore smaller ones.
   */
  delayCs(fromSeconds: number, toSeconds: number): number {
    return Math.max(2, Math.round(toSeconds * 100) - Math.round(fromSeconds * 100));
  }
}

/** Makes a GIF from a video; see `processVideo`. @param range part that is wanted; default: all */
export async function gifFromVideo(
  av: NodeAv,
  open: OpenVideo,
  limits: VideoLimits,
  options: ProcessOptions,
  range?: PartRange,
): Promise<ProcessResult> {
  const { timeBase, avgFrameRate, duration } = open.video;
  const size = sizeOfGif(open, options);
  const tick = timeBase.num / timeBase.den;
  const rate = avgFrameRate.den > 0 ? avgFrameRate.num / avgFrameRate.den : 0;
  const clock = new GifClock(rate);
  const length = Number(range === undefined ? duration : range.toTick - range.fromTick) * tick;
  const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
  const expected = Math.max(1, Math.round(Math.max(0, length) * Math.min(rate || 25, MAX_FRAMES_PER_SECOND)));
  await using animation = await Animation.create(options.outputPath, size.width, size.height, expected);
  let last = 0;
  let end = 0;
  const pictures = gifPictures(av, open, limits, options, state, range);
  for await (const { rgba, view, endSeconds } of lookAhead(pictures, options.ahead)) {
    const { timeSeconds: seconds, index } = view;
    if (index > 0) animation.setDelay(index - 1, clock.delayCs(last, seconds));
    await options.onFrame?.(view);
    await animation.add(rgba, 10);
    last = seconds;
    end = endSeconds;
    const fraction = length > 0 ? Math.min(0.5, (end / length) * 0.5) : 0;
    options.onProgress?.({ framesDone: index + 1, secondsDone: end, fraction });
  }
  const frames = animation.frameCount;
  // The last picture ends with the clip, if the end of the clip is known.
  if (frames > 0) animation.setDelay(frames - 1, clock.delayCs(last, Math.max(end, length, last + 0.02)));
  const result = await animation.write(0, true, (written) => {
    options.signal?.throwIfAborted();
    options.onProgress?.({
      framesDone: frames,
      secondsDone: end,
      fraction: 0.5 + (0.5 * written) / frames,
    });
  });
  return { ...result, damagedFrames: state.damaged };
}

function sizeOfGif(open: OpenVideo, options: SizeCaps): TargetSize {
  const { codecpar } = open.video;
  const turned = open.orientation.swapsSides;
  return gifSize(
    turned ? codecpar.height : codecpar.width,
    turned ? codecpar.width : codecpar.height,
    options,
  );
}

/**
 * Yields the pictures of a video that go into its GIF.
 * @param range part that is wanted; default: all
 */
export function gifPictures(
  av: NodeAv,
  open: OpenVideo,
  limits: VideoLimits,
  options: SizeCaps & Pick<ProcessOptions, 'signal'>,
  state: ReaderState,
  range: PartRange | undefined,
): AsyncGenerator<Picture, void, undefined> {
  const { timeBase, avgFrameRate } = open.video;
  const clock = new GifClock(avgFrameRate.den > 0 ? avgFrameRate.num / avgFrameRate.den : 0);
  const plan = {
    size: sizeOfGif(open, options),
    format: 'rgba' as const,
    limits,
    signal: options.signal,
    keep: (at: number) => clock.keeps(at),
    ...(range === undefined
      ? {}
      : { skippedPackets: range.skippedPackets, originTick: range.fromTick, part: range }),
  };
  return packed(readFrames(av, open, plan, state), state, timeBase.num / timeBase.den);
}

interface Picture {
  readonly rgba: Uint8Array;
  readonly view: RgbaFrame;
  readonly endSeconds: number;
}

/** Yields the pictures in their own memory and frees the decoder's frames. */
async function* packed(
  frames: AsyncIterable<Frame>,
  state: ReaderState,
  tick: number,
): AsyncGenerator<Picture, void, undefined> {
  let index = 0;
  for await (const frame of frames) {
    try {
      const { width, height } = frame;
      const seconds = toMicroseconds(Number(frame.pts - state.firstTick) * tick);
      const rgba = packRows(frame.data![0]!, frame.linesize[0]!, width * 4, height);
      const view = new RgbaFrame(rgba, width, height, index, seconds);
      yield { rgba, view, endSeconds: seconds + Number(frame.duration) * tick };
      index += 1;
    } finally {
      frame.free();
    }
  }
}

function packRows(data: Uint8Array, stride: number, rowBytes: number, rows: number): Uint8Array {
  const packed = new Uint8Array(rowBytes * rows);
  for (let row = 0; row < rows; row += 1) {
    packed.set(data.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  }
  return packed;
}
