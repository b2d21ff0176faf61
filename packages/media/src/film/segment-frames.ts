import type { VideoFormat } from '@guise/contract/formats.ts';
import type { Frame } from 'node-av/lib';
import { BoundedQueue } from '../video/bounded-queue.ts';
import { readFrames, type ReaderState } from '../video/frame-reader.ts';
import { type SizeCaps, targetSize, type TargetSize } from '../video/target-size.ts';
import { keyFrameBefore } from '../video/packet-map.ts';
import type { FilmCut } from './cut-film.ts';
import type { OpenFilm } from './open-film.ts';

/** Which pictures of a film to read. */
export interface SegmentRange {
  /** Ticks since the film's first picture from which pictures are read. */
  readonly from: number;
  /** Tick before which the pictures end. */
  readonly to: number;
  /** Returns whether a picture is needed. Default: all are needed. */
  readonly keep?: (tick: number) => boolean;
}

/** A film's picture with its time stamp, in ticks since the film's first picture. */
export interface SegmentFrame {
  readonly frame: Frame;
  readonly tick: number;
}

/** Settings for reading a film. */
export interface SegmentPlan extends SizeCaps {
  readonly cut: FilmCut;
  /** Container of the output. */
  readonly container: VideoFormat;
  readonly signal?: AbortSignal | undefined;
}

/** Number of frames that are decoded ahead. */
const QUEUE_FRAMES = 2;
/** Largest picture that one thread decodes faster than two. */
const MAX_PIXELS_FOR_ONE_THREAD = 1280 * 720;
/**
 * Number of decoder threads for larger pictures. The number is the same on every machine, because
 * with other numbers decoders may repair damage differently.
 */
const DECODER_THREADS = 2;

/**
 * Yields a range of a film's pictures in the working size and format, decoded from the key frame
 * before the range. Decoding runs ahead. The receiver owns each frame and frees it.
 * @throws MediaError as `readFrames`
 */
export async function* readSegment(
  film: OpenFilm,
  plan: SegmentPlan,
  range: SegmentRange,
  state: ReaderState,
): AsyncGenerator<SegmentFrame, void, undefined> {
  const { av, open, limits } = film;
  const { cut, container, signal } = plan;
  for (const sound of open.audio) sound.discard = av.constants.AVDISCARD_ALL;
  const { width, height } = open.video.codecpar;
  const origin = BigInt(cut.originTick);
  const perSecond = cut.timeBase.den / cut.timeBase.num;
  const isWanted = (tick: number): boolean =>
    tick >= range.from && (tick >= range.to || (range.keep?.(tick) ?? true));
  const frames = readFrames(
    av,
    open,
    {
      size: workingSize(film, plan),
      format: container === 'webm' && open.alpha ? 'yuva420p' : 'yuv420p',
      limits,
      signal,
      threads: width * height <= MAX_PIXELS_FOR_ONE_THREAD ? 1 : DECODER_THREADS,
      skippedPackets: keyFrameBefore(cut.keyFrames, range.from).packet,
      originTick: origin,
      ...(cut.part === undefined
        ? {}
        : { part: { fromTick: origin, toTick: origin + BigInt(cut.part.ticks) } }),
      keep: (seconds) => isWanted(Math.round(seconds * perSecond)),
    },
    state,
  );
  const queue = new BoundedQueue<SegmentFrame>(QUEUE_FRAMES);
  const decoding = decode(frames, origin, range.to, queue);
  try {
    for (let next = await queue.pull(); next !== null; next = await queue.pull()) yield next;
  } finally {
    queue.fail(new Error('no more pictures are needed'));
    // A native object may be freed only after the decoder has left it.
    await decoding;
    for (const { frame } of queue.drain()) frame.free();
  }
}

/** Returns the working size of the film's pictures. */
function workingSize({ open }: OpenFilm, caps: SegmentPlan): TargetSize {
  const { width, height } = open.video.codecpar;
  const turned = open.orientation.swapsSides;
  return targetSize(turned ? height : width, turned ? width : height, caps, caps.container !== 'webm');
}

async function decode(
  frames: AsyncGenerator<Frame, void, undefined>,
  origin: bigint,
  to: number,
  queue: BoundedQueue<SegmentFrame>,
): Promise<void> {
  try {
    for await (const frame of frames) {
      const tick = Number(frame.pts - origin);
      if (tick >= to) {
        frame.free();
        break;
      }
      await queue.push({ frame, tick }).catch((error: unknown) => {
        frame.free();
        throw error;
      });
    }
    queue.end();
  } catch (error) {
    queue.fail(error);
  }
}
