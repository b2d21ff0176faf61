import { ownPictures } from '../gif/gif-from-gif.ts';
import { gifPictures } from '../gif/gif-from-video.ts';
import { requireNodeAv } from '../video/node-av.ts';
import { readContainer } from '../video/container.ts';
import { openVideo } from '../video/demux.ts';
import { FramePool } from '../video/frame-pool.ts';
import { readFrames, type ReaderState } from '../video/frame-reader.ts';
import { toMicroseconds } from '../video/measure.ts';
import { readerPlan } from '../video/transcode.ts';
import { DEFAULT_VIDEO_LIMITS, type MediaFrame, type ProcessOptions } from '../video/video-types.ts';
import { wrapAvFrame, type YuvFrame } from '../video/yuv-frame.ts';
import { readRange } from './process-video.ts';

/** The clip to show, and the options with which `processVideo` edits it. */
export interface ShowOptions extends Pick<
  ProcessOptions,
  'inputPath' | 'container' | 'maxShortSide' | 'maxLongSide' | 'limits' | 'part' | 'signal'
> {
  /** Receives each picture. A picture stays valid until the call with the next one has ended. */
  readonly onFrame: (frame: MediaFrame) => Promise<void>;
}

/**
 * Passes the same pictures to `onFrame` as `processVideo`, but writes nothing. Call it in a child
 * process, because it runs native code on untrusted bytes.
 * @throws MediaError; the signal's reason; the error of `onFrame`; an Error without node-av, unless
 * the clip is a GIF
 */
export async function showFrames(options: ShowOptions): Promise<void> {
  const { inputPath, signal, onFrame } = options;
  const limits = { ...DEFAULT_VIDEO_LIMITS, ...options.limits };
  const input = await readContainer(inputPath);
  const all = { ...options, outputPath: '' };
  if (input === 'gif') {
    for await (const { view } of ownPictures(limits, all)) {
      signal?.throwIfAborted();
      await onFrame(view);
    }
    return;
  }
  const av = await requireNodeAv();
  const range = await readRange(av, input, limits, all);
  using open = await openVideo(av, inputPath, input, limits);
  using pool = new FramePool(av);
  const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
  let last: { frame: ReturnType<FramePool['takeOver']>; view: YuvFrame } | null = null;
  try {
    for (const sound of open.audio) sound.discard = av.constants.AVDISCARD_ALL;
    if (options.container === 'gif') {
      for await (const { view } of gifPictures(av, open, limits, all, state, range)) {
        signal?.throwIfAborted();
        await onFrame(view);
      }
      return;
    }
    const tick = open.video.timeBase.num / open.video.timeBase.den;
    const plan = readerPlan(open, options.container, limits, all, range);
    let index = 0;
    for await (const decoded of readFrames(av, open, plan, state)) {
      signal?.throwIfAborted();
      const frame = pool.takeOver(decoded);
      const seconds = toMicroseconds(Number(frame.pts - state.firstTick) * tick);
      const view = wrapAvFrame(frame, index++, seconds);
      await onFrame(view);
      last?.view.release();
      if (last) pool.release(last.frame);
      last = { frame, view };
    }
  } finally {
    last?.view.release();
  }
}
