import { MediaError } from '../media-error.ts';
import type { OpenVideo } from './demux.ts';
import type { NodeAv } from './node-av.ts';
import type { KeyFrame, PacketMap } from './packet-map.ts';
import { keyFrameBefore, readPacketMap } from './packet-map.ts';
import type { ClipPart, VideoLimits } from './video-types.ts';

/** A part in ticks of the picture track. */
export interface PartRange {
  /** Time stamp at which the part begins. */
  readonly fromTick: bigint;
  /** Time stamp before which it ends. */
  readonly toTick: bigint;
  /** Time stamp of the clip's first picture. */
  readonly originTick: bigint;
  /** Packets in the file before the one from which decoding begins. */
  readonly skippedPackets: number;
  /** Pictures of the part. */
  readonly frameCount: number;
}

/**
 * Time by which a moment may miss a picture's own and still mean it, in seconds: clients round to
 * milliseconds.
 */
const SNAP_SECONDS = 0.001;

/**
 * Finds a part of an opened clip by its packets, which are read to the end: open the clip again to
 * decode it.
 * @throws MediaError as `readPacketMap`
 */
export function findPart(av: NodeAv, open: OpenVideo, part: ClipPart, limits: VideoLimits): PartRange {
  return partOf(readPacketMap(av, open, limits), part);
}

/**
 * Finds a part of a clip whose packets are known.
 * @throws MediaError UNREADABLE if no picture lies in it
 */
export function partOf(map: PacketMap, { startSeconds, endSeconds }: ClipPart): PartRange {
  const { timeBase, originTick, ticks, keyFrames } = map;
  const perSecond = timeBase.den / timeBase.num;
  const from = snapped(startSeconds * perSecond, ticks, SNAP_SECONDS * perSecond);
  const to = Math.min(snapped(endSeconds * perSecond, ticks, SNAP_SECONDS * perSecond), map.endTick);
  const inside = ticks.filter((tick) => tick >= from && tick < to).length;
  // The picture that is on the screen when the part begins is its first.
  const isHeld = !ticks.includes(from) && ticks.some((tick) => tick < from);
  const frameCount = inside + Number(isHeld);
  if (frameCount === 0 || to <= from)
    throw new MediaError('UNREADABLE', 'The video cannot be read: it holds no pictures in the part.');
  return {
    fromTick: originTick + BigInt(from),
    toTick: originTick + BigInt(to),
    originTick,
    skippedPackets: keyFrameBefore(keyFrames, from).packet,
    frameCount,
  };
}

/** Returns key frames with their ticks counted from the part's start; earlier ones are below 0. */
export function keyFramesOfPart(keyFrames: readonly KeyFrame[], from: number): KeyFrame[] {
  return keyFrames.map(({ packet, tick }) => ({ packet, tick: tick - from }));
}

/** Returns the picture's tick that a moment means, or the moment itself. */
function snapped(moment: number, ticks: readonly number[], tolerance: number): number {
  let best = Math.round(moment);
  let distance = tolerance;
  for (const tick of ticks) {
    if (Math.abs(tick - moment) > distance) continue;
    best = tick;
    distance = Math.abs(tick - moment);
  }
  return best;
}
