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
  /** Time stamp before which the part ends. */
  readonly toTick: bigint;
  /** Time stamp of the clip's first picture. */
  readonly originTick: bigint;
  /** Number of packets in the file before the packet from which decoding begins. */
  readonly skippedPackets: number;
  /** Number of pictures of the part. */
  readonly frameCount: number;
}

/**
 * Largest distance in seconds between a requested moment and a picture for the moment to mean that
 * picture. Clients round to milliseconds.
 */
const SNAP_SECONDS = 0.001;

/**
 * Finds a part of an open clip by its packets. Reads the packets to the end, so open the clip again
 * to decode it.
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
  // The first picture is the one that is on the screen when the part begins.
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

/**
 * Returns key frames with ticks counted from the start of the part. Earlier key frames have ticks
 * below 0.
 */
export function keyFramesOfPart(keyFrames: readonly KeyFrame[], from: number): KeyFrame[] {
  return keyFrames.map(({ packet, tick }) => ({ packet, tick: tick - from }));
}

/** Returns the tick of the picture that a moment means, or else the moment itself. */
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
