import type { Frame } from 'node-av/lib';
import { MediaError } from '../media-error.ts';
import { readGifFrames } from '../gif/read-gif.ts';
import { RgbaFrame } from '../gif/rgba-frame.ts';
import { loadNodeAv } from './backend.ts';
import { readContainer } from './container.ts';
import { openVideo } from './demux.ts';
import { FramePool } from './frame-pool.ts';
import { readAhead, readFrames, type ReaderState } from './frame-reader.ts';
import { toMicroseconds } from './measure.ts';
import { scanWithPrograms } from './programs/transcode-programs.ts';
import { targetSize } from './target-size.ts';
import {
  DEFAULT_VIDEO_LIMITS,
  type MediaFrame,
  type VideoContainer,
  type VideoLimits,
} from './video-types.ts';
import { wrapAvFrame } from './yuv-frame.ts';

export interface ScanOptions {
  inputPath: string;
  /** As will be given to `processVideo`, so that both see the same pixels. */
  maxShortSide?: number;
  maxLongSide?: number;
  /** The container that will be written; absent: the input's own. */
  container?: VideoContainer;
  /** Pictures nearer than this to the last one handed out are skipped; 0 hands out all. */
  everySeconds: number;
  limits?: Partial<VideoLimits>;
  /** The frame is for looking at; edits go nowhere. */
  onFrame: (frame: MediaFrame) => void | Promise<void>;
  signal?: AbortSignal;
}

/** A look over the whole clip before it is processed (who is in it, for how long). @returns pictures handed out */
export async function scanVideo(options: ScanOptions): Promise<number> {
  const limits = { ...DEFAULT_VIDEO_LIMITS, ...options.limits };
  const { container } = await readContainer(options.inputPath);
  let due = -Infinity;
  const keep = (seconds: number) => {
    if (seconds < due - 1e-9) return false;
    due = seconds + options.everySeconds;
    return true;
  };
  let count = 0;
  if (container === 'gif') {
    for await (const frame of readGifFrames(options.inputPath, limits)) {
      options.signal?.throwIfAborted();
      if (!keep(frame.timeSeconds)) continue;
      await options.onFrame(new RgbaFrame(frame.rgba, frame.width, frame.height, count, frame.timeSeconds));
      count += 1;
    }
    return count;
  }
  const av = await loadNodeAv();
  if (av === null) return scanWithPrograms(container, limits, options, keep);
  const pool = new FramePool(av);
  const open = openVideo(av, options.inputPath, container, limits);
  try {
    const { width, height } = open.video.codecpar;
    const turned = open.orientation.swapsSides;
    const written = options.container ?? container;
    const even = written === 'mp4' || written === 'mov';
    const size = targetSize(turned ? height : width, turned ? width : height, options, even);
    const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
    const plan = { size, format: 'yuv420p' as const, limits, signal: options.signal, keep };
    const tick = open.video.timeBase.num / open.video.timeBase.den;
    const frames = takenOver(pool, readFrames(av, open, plan, state));
    for await (const frame of readAhead(frames, (unseen) => pool.release(unseen))) {
      try {
        const seconds = toMicroseconds(Number(frame.pts - state.firstTick) * tick);
        const view = wrapAvFrame(frame, count, seconds);
        try {
          await options.onFrame(view);
        } finally {
          view.release();
        }
        count += 1;
      } finally {
        pool.release(frame);
      }
    }
    if (count === 0) throw new MediaError('DAMAGED', 'The video is damaged: no picture could be decoded.');
    return count;
  } finally {
    pool.close();
    open.format.closeInputSync();
  }
}

/** The same pictures in frames of the pool, which the receiver gives back. */
async function* takenOver(
  pool: FramePool,
  frames: AsyncGenerator<Frame, void, undefined>,
): AsyncGenerator<Frame, void, undefined> {
  for await (const frame of frames) {
    let own: Frame;
    try {
      own = pool.takeOver(frame);
    } catch (error) {
      frame.free();
      throw error;
    }
    yield own;
  }
}
