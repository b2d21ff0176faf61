import { MediaError } from '../media-error.ts';
import { frameBudget, LENGTH_SLACK_SECONDS, tooLong, tooManyFrames } from '../video/measure.ts';
import type { VideoLimits } from '../video/video-types.ts';
import { openFilm } from './open-film.ts';

/** A picture at which decoding can begin. */
export interface KeyFrame {
  /** Number of the picture's packet, counted from 0. */
  readonly packet: number;
  /** Time stamp, in ticks since the film's first picture. */
  readonly tick: number;
}

/** Where a film is cut, and what is known of it without decoding: the same for whoever reads it. */
export interface FilmCut {
  readonly timeBase: { readonly num: number; readonly den: number };
  /** Time stamp of the first picture in ticks of the file, decimal. */
  readonly originTick: string;
  /** Pictures in the file. */
  readonly frameCount: number;
  /** Time from the first picture's start to the last one's end. */
  readonly seconds: number;
  /** Key frames in the file's order, at least the first picture. */
  readonly keyFrames: readonly KeyFrame[];
  /** Ticks since the first picture at which segments begin; the first is 0. */
  readonly starts: readonly number[];
}

/** Length of a segment that is aimed at: a machine that dies loses no more work than that. */
const SEGMENT_SECONDS = 30;
/**
 * Most that is decoded for nothing, because decoding begins at the key frame before a segment, as a
 * share of the film.
 */
const MAX_WASTED_SHARE = 0.5;
/** Largest number of ticks that is exact in all sums. */
const MAX_TICKS = 2 ** 50;

/**
 * Decides where a film is cut, by reading its packets. Runs native code on untrusted bytes: call it
 * in a child.
 * @throws MediaError as `probeVideo`
 */
export async function cutFilm(inputPath: string, wanted: Partial<VideoLimits> = {}): Promise<FilmCut> {
  using film = await openFilm(inputPath, wanted);
  const { av, open, limits } = film;
  const C = av.constants;
  for (const sound of open.audio) sound.discard = C.AVDISCARD_ALL;
  const { num, den } = open.video.timeBase;
  const budget = frameBudget(limits);
  const keys: { readonly packet: number; readonly stamp: bigint }[] = [];
  let packets = 0;
  let shown = 0;
  let first: bigint | null = null;
  let end = 0n;
  const packet = new av.Packet();
  packet.alloc();
  try {
    for (; open.format.readFrameSync(packet) >= 0; packet.unref()) {
      if (packet.streamIndex !== open.video.index) continue;
      const stamp = packet.pts === C.AV_NOPTS_VALUE ? packet.dts : packet.pts;
      const isKnown = stamp !== C.AV_NOPTS_VALUE;
      if (isKnown && packet.isKeyframe) keys.push({ packet: packets, stamp });
      packets += 1;
      if (packets > budget) throw tooManyFrames(budget);
      if (!isKnown || (packet.flags & C.AV_PKT_FLAG_DISCARD) !== 0) continue;
      shown += 1;
      if (first === null || stamp < first) first = stamp;
      const stop = stamp + (packet.duration > 0n ? packet.duration : 0n);
      if (stop > end || shown === 1) end = stop;
      if ((Number(end - first) * num) / den > limits.maxSeconds + LENGTH_SLACK_SECONDS)
        throw tooLong(limits.maxSeconds);
    }
  } finally {
    packet.free();
  }
  if (first === null) throw new MediaError('UNREADABLE', 'The video cannot be read: it holds no pictures.');
  const origin = first;
  const ticks = Number(end - origin);
  if (ticks > MAX_TICKS) throw tooLong(limits.maxSeconds);
  const keyFrames = keys.map(({ packet: at, stamp }) => ({ packet: at, tick: Number(stamp - origin) }));
  // Decoding from the file's start is always possible.
  if (keyFrames[0]?.packet !== 0) keyFrames.unshift({ packet: 0, tick: 0 });
  return {
    timeBase: { num, den },
    originTick: String(origin),
    frameCount: shown,
    seconds: (ticks * num) / den,
    keyFrames,
    starts: startsOf(ticks, den / num, keyFrames),
  };
}

/**
 * Divides a film into segments of equal length: fewer where key frames are rare, since each segment
 * is decoded from the one before it.
 */
export function startsOf(
  ticks: number,
  ticksPerSecond: number,
  keyFrames: readonly KeyFrame[],
): readonly number[] {
  const most = Math.max(1, Math.round(ticks / ticksPerSecond / SEGMENT_SECONDS));
  for (let count = most; count > 2; count--) {
    const starts = equalStarts(ticks, count);
    const wasted = starts.reduce((sum, start) => sum + start - keyFrameBefore(keyFrames, start).tick, 0);
    if (wasted <= MAX_WASTED_SHARE * ticks) return starts;
  }
  return equalStarts(ticks, Math.min(2, most));
}

/** Returns the key frame at which decoding must begin for the pictures from `tick` on. */
export function keyFrameBefore(keyFrames: readonly KeyFrame[], tick: number): KeyFrame {
  let best = keyFrames[0]!;
  for (const key of keyFrames) if (key.tick <= tick && key.tick >= best.tick) best = key;
  return best;
}

function equalStarts(ticks: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.round((i * ticks) / count));
}
