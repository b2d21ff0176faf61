import type { Frame } from 'node-av/lib';
import { FramePool } from '../video/frame-pool.ts';
import { toMicroseconds } from '../video/measure.ts';
import type { ReaderState } from '../video/frame-reader.ts';
import type { PictureShape } from '../video/video-encoder.ts';
import type { MediaFrame, VideoLimits } from '../video/video-types.ts';
import { wrapAvFrame, type YuvFrame } from '../video/yuv-frame.ts';
import { openFilm } from './open-film.ts';
import { readSegment, type SegmentPlan, type SegmentRange } from './segment-frames.ts';

/** Which pictures of a film to show, and the functions that receive them. */
export interface StudyOptions extends SegmentPlan, SegmentRange {
  readonly inputPath: string;
  readonly limits?: Partial<VideoLimits>;
  /** Receives each picture, which stays valid until the next picture has been received. */
  readonly onFrame: (frame: MediaFrame, tick: number) => void | Promise<void>;
  /** Is called after the last picture, which stays valid until this function has returned. */
  readonly onEnd?: () => void | Promise<void>;
}

/** Properties of a film's pictures. */
export interface StudiedPictures {
  /** Shape of the first picture; null if there is none. */
  readonly shape: PictureShape | null;
  /** Number of pictures that the decoder could only repair or had to drop. */
  readonly damaged: number;
}

/**
 * Shows a range of a film's pictures in order and writes nothing. Call it in a child process,
 * because it runs native code on untrusted bytes.
 * @throws MediaError; the signal's reason; the error of `onFrame` or `onEnd`
 */
export async function studyFrames(options: StudyOptions): Promise<StudiedPictures> {
  using film = await openFilm(options.inputPath, options.limits);
  const { cut, onFrame, onEnd, signal } = options;
  const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
  const secondsPerTick = cut.timeBase.num / cut.timeBase.den;
  using pool = new FramePool(film.av);
  let shape: PictureShape | null = null;
  let last: { frame: Frame; view: YuvFrame } | null = null;
  let index = 0;
  try {
    for await (const { frame: decoded, tick } of readSegment(film, options, options, state)) {
      signal?.throwIfAborted();
      const frame = ownFrame(pool, decoded);
      shape ??= shapeOf(frame);
      const view = wrapAvFrame(frame, index++, toMicroseconds(tick * secondsPerTick));
      await onFrame(view, tick);
      last?.view.release();
      if (last) pool.release(last.frame);
      last = { frame, view };
    }
    await onEnd?.();
    return { shape, damaged: state.damaged };
  } finally {
    last?.view.release();
  }
}

/** Returns a decoder's picture in a frame of the pool. */
export function ownFrame(pool: FramePool, decoded: Frame): Frame {
  try {
    return pool.takeOver(decoded);
  } catch (error) {
    decoded.free();
    throw error;
  }
}

/** Returns the properties of a picture that an encoder needs, as plain data. */
function shapeOf(frame: Frame): PictureShape {
  const { width, height, format, colorSpace, colorRange, colorPrimaries, colorTrc, chromaLocation } = frame;
  const { num, den } = frame.sampleAspectRatio;
  return {
    width,
    height,
    format,
    sampleAspectRatio: { num, den },
    colorSpace,
    colorRange,
    colorPrimaries,
    colorTrc,
    chromaLocation,
  };
}
