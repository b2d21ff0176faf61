import type { Frame } from 'node-av/lib';
import { requireNodeAv } from './node-av.ts';
import { readContainer } from './container.ts';
import { openVideo } from './demux.ts';
import { FramePool } from './frame-pool.ts';
import { readFrames, type ReaderState } from './frame-reader.ts';
import { toMicroseconds } from './measure.ts';
import { targetSize } from './target-size.ts';
import { DEFAULT_VIDEO_LIMITS, type MediaFrame } from './video-types.ts';
import { wrapAvFrame, type YuvFrame } from './yuv-frame.ts';

/**
 * Passes every picture of a clip to `onFrame`, as `processVideo` does, but writes nothing. For
 * tests and measurements only. A picture stays valid until the call with the next picture has
 * ended.
 * @returns the number of pictures
 */
export async function scanVideo(
  inputPath: string,
  onFrame: (frame: MediaFrame) => void | Promise<void>,
): Promise<number> {
  const av = await requireNodeAv();
  const container = await readContainer(inputPath);
  const limits = DEFAULT_VIDEO_LIMITS;
  using open = await openVideo(av, inputPath, container, limits);
  using pool = new FramePool(av);
  let last: { frame: Frame; view: YuvFrame } | null = null;
  try {
    const { width, height } = open.video.codecpar;
    const turned = open.orientation.swapsSides;
    const size = targetSize(turned ? height : width, turned ? width : height, {}, container !== 'webm');
    const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
    const plan = { size, format: 'yuv420p' as const, limits, signal: undefined };
    const tick = open.video.timeBase.num / open.video.timeBase.den;
    let count = 0;
    for await (const decoded of readFrames(av, open, plan, state)) {
      const frame = pool.takeOver(decoded);
      const view = wrapAvFrame(frame, count, toMicroseconds(Number(frame.pts - state.firstTick) * tick));
      await onFrame(view);
      last?.view.release();
      if (last) pool.release(last.frame);
      last = { frame, view };
      count += 1;
    }
    return count;
  } finally {
    last?.view.release();
  }
}
