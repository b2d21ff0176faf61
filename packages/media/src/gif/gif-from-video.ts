import type { Frame } from 'node-av/lib';
import type { NodeAv } from '../video/backend.ts';
import type { OpenVideo } from '../video/demux.ts';
import { readFrames, type ReaderState } from '../video/frame-reader.ts';
import { lookAhead } from '../video/look-ahead.ts';
import { toMicroseconds } from '../video/measure.ts';
import { targetSize, type TargetSize } from '../video/target-size.ts';
import type { ProcessOptions, ProcessResult, VideoLimits } from '../video/video-types.ts';
import { Animation } from './animation.ts';
import { RgbaFrame } from './rgba-frame.ts';

/**
 * A GIF of a film is some fifty times its size: 480 lines and 30 pictures a second are what is
 * still of use to anyone, and 30 s of it stay within the limit on a GIF's pixels.
 */
const MAX_SHORT_SIDE = 480;
const MAX_LONG_SIDE = 854;
const MAX_FRAMES_PER_SECOND = 30;
/** A film of 30 pictures a second loses none of them to the rounding of its time stamps. */
const RATE_SLACK = 1.01;

export function gifSize(width: number, height: number, options: ProcessOptions): TargetSize {
  const caps = {
    maxShortSide: Math.min(MAX_SHORT_SIDE, options.maxShortSide ?? Infinity),
    maxLongSide: Math.min(MAX_LONG_SIDE, options.maxLongSide ?? Infinity),
  };
  return targetSize(width, height, caps, false);
}

/** Takes pictures of a film and gives each its place on GIF's clock of hundredths. */
export class GifClock {
  readonly #every: number;
  #seen = 0;
  #kept = 0;

  /**
   * @param framesPerSecond of the film, on average; beyond 30 every second, third... picture is
   * taken, evenly
   */
  constructor(framesPerSecond: number) {
    this.#every = Math.max(1, Math.ceil(framesPerSecond / (MAX_FRAMES_PER_SECOND * RATE_SLACK)));
  }

  /**
   * Whether the picture at this moment is taken. A film that says nothing of its rate, or something
   * wrong, may bring more pictures than expected: beyond 30 a second, counted from the start, they
   * are left out, so that whatever was accepted stays within the limit on a GIF's pixels.
   * @param seconds from the film's first picture
   */
  keeps(seconds: number): boolean {
    const isTurn = this.#seen % this.#every === 0;
    this.#seen += 1;
    if (!isTurn || this.#kept > 1 + seconds * MAX_FRAMES_PER_SECOND * RATE_SLACK) return false;
    this.#kept += 1;
    return true;
  }

  /**
   * Rounded from the clip's start, so that rounding never adds up; 2 is the least that browsers
   * obey.
   */
  delayCs(fromSeconds: number, toSeconds: number): number {
    return Math.max(2, Math.round(toSeconds * 100) - Math.round(fromSeconds * 100));
  }
}

export async function gifFromVideo(
  av: NodeAv,
  open: OpenVideo,
  limits: VideoLimits,
  options: ProcessOptions,
): Promise<ProcessResult> {
  const { codecpar, timeBase, avgFrameRate, duration } = open.video;
  const turned = open.orientation.swapsSides;
  const size = gifSize(
    turned ? codecpar.height : codecpar.width,
    turned ? codecpar.width : codecpar.height,
    options,
  );
  const tick = timeBase.num / timeBase.den;
  const rate = avgFrameRate.den > 0 ? avgFrameRate.num / avgFrameRate.den : 0;
  const clock = new GifClock(rate);
  const length = Number(duration) * tick;
  const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
  const plan = {
    size,
    format: 'rgba' as const,
    limits,
    signal: options.signal,
    keep: (at: number) => clock.keeps(at),
  };
  const expected = Math.max(1, Math.round(Math.max(0, length) * Math.min(rate || 25, MAX_FRAMES_PER_SECOND)));
  const animation = await Animation.create(options.outputPath, size.width, size.height, expected);
  try {
    let last = 0;
    let end = 0;
    const pictures = packed(readFrames(av, open, plan, state), state, tick);
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
    // The clip's own end, where it is known, is the end of the last picture too.
    if (frames > 0) animation.setDelay(frames - 1, clock.delayCs(last, Math.max(end, length, last + 0.02)));
    const result = await animation.write(0, true, (written) => {
      options.signal?.throwIfAborted();
      options.onProgress?.({
        framesDone: frames,
        secondsDone: end,
        fraction: 0.5 + (0.5 * written) / frames,
      });
    });
    return { ...result, damagedFrames: state.damaged, backend: 'node-av' };
  } finally {
    await animation.close();
  }
}

interface Picture {
  readonly rgba: Uint8Array;
  readonly view: RgbaFrame;
  readonly endSeconds: number;
}

/** Pictures in memory of their own; the decoder's frames are freed. */
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
