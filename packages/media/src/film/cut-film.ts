import { keyFramesOfPart, partOf } from '../video/clip-part.ts';
import { type KeyFrame, keyFrameBefore, type PacketMap, readPacketMap } from '../video/packet-map.ts';
import type { ClipPart, VideoLimits } from '../video/video-types.ts';
import { openFilm } from './open-film.ts';

/**
 * Where a film is cut, and what its packets tell without decoding. Every reader gets the same cut.
 */
export interface FilmCut {
  readonly timeBase: { readonly num: number; readonly den: number };
  /**
   * Time stamp of the first picture in ticks of the file, decimal. For a part: time stamp of its
   * start.
   */
  readonly originTick: string;
  /** Number of pictures in the file. */
  readonly frameCount: number;
  /** Time from the first picture's start to the last one's end. */
  readonly seconds: number;
  /** Key frames in the file's order, with at least the first picture. */
  readonly keyFrames: readonly KeyFrame[];
  /** Ticks since the first picture at which segments begin; the first is 0. */
  readonly starts: readonly number[];
  /** Set for a part of a film only. "First picture" above then means the start of the part. */
  readonly part?: {
    /** Ticks from the part's start to its end. */
    readonly ticks: number;
    /** Time stamp of the whole film's first picture in ticks of the file, decimal. */
    readonly filmOriginTick: string;
  };
}

/** Wanted length of a segment. A machine that dies loses at most this much work. */
const SEGMENT_SECONDS = 30;
/**
 * Largest share of the film that may be decoded in vain, because decoding begins at the key frame
 * before a segment.
 */
const MAX_WASTED_SHARE = 0.5;

/**
 * Decides where a film is cut, by reading its packets. Call it in a child process, because it runs
 * native code on untrusted bytes.
 * @param part of the film, if not all of it is needed
 * @throws MediaError as `probeVideo`
 */
export async function cutFilm(
  inputPath: string,
  limits: Partial<VideoLimits> = {},
  part?: ClipPart,
): Promise<FilmCut> {
  using film = await openFilm(inputPath, limits);
  const map = readPacketMap(film.av, film.open, film.limits);
  if (part !== undefined) return cutPart(map, part);
  const { timeBase, storedEndTick, keyFrames } = map;
  const perSecond = timeBase.den / timeBase.num;
  return {
    timeBase,
    originTick: String(map.originTick),
    frameCount: map.ticks.length,
    seconds: (storedEndTick * timeBase.num) / timeBase.den,
    keyFrames,
    starts: startsOf(storedEndTick, perSecond, keyFrames),
  };
}

/** Cuts a part of a film as if it were a whole film. */
function cutPart(map: PacketMap, part: ClipPart): FilmCut {
  const { timeBase, originTick } = map;
  const { fromTick, toTick, frameCount } = partOf(map, part);
  const perSecond = timeBase.den / timeBase.num;
  const ticks = Number(toTick - fromTick);
  const keyFrames = keyFramesOfPart(map.keyFrames, Number(fromTick - originTick));
  return {
    timeBase,
    originTick: String(fromTick),
    frameCount,
    seconds: (ticks * timeBase.num) / timeBase.den,
    keyFrames,
    starts: startsOf(ticks, perSecond, keyFrames),
    part: { ticks, filmOriginTick: String(originTick) },
  };
}

/**
 * Divides a film into segments of equal length. Where key frames are rare, the segments are fewer,
 * because each segment is decoded from the key frame before it.
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

function equalStarts(ticks: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.round((i * ticks) / count));
}
