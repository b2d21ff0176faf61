import { MediaError } from '../media-error.ts';
import type { NodeAv } from './node-av.ts';
import type { OpenVideo } from './demux.ts';
import { PacketWatch } from './packet-watch.ts';
import { frameBudget, LENGTH_SLACK_SECONDS, tooLong, tooManyFrames } from './measure.ts';
import type { VideoLimits } from './video-types.ts';

/** A picture at which decoding can begin. */
export interface KeyFrame {
  /** Number of the picture's packet, counted from 0. */
  readonly packet: number;
  /** Time stamp, in ticks since the film's first picture. */
  readonly tick: number;
}

/** Facts about a clip's pictures that its packets tell without decoding. */
export interface PacketMap {
  readonly timeBase: { readonly num: number; readonly den: number };
  /** Time stamp of the first picture, in ticks of the file. */
  readonly originTick: bigint;
  /** End of the last picture according to the packets, in ticks since the first picture. */
  readonly storedEndTick: number;
  /** End of the last picture. The picture gets a duration if its packet has none. */
  readonly endTick: number;
  /** Time stamps of all shown pictures in the file's order, in ticks since the first picture. */
  readonly ticks: readonly number[];
  /** Key frames in the file's order, with at least the first picture. */
  readonly keyFrames: readonly KeyFrame[];
}

/** Largest number of ticks, small enough that all sums are exact. */
const MAX_TICKS = 2 ** 50;

/**
 * Reads all packets of a clip's pictures. Call it in a child process, because it runs native code
 * on untrusted bytes.
 * @throws MediaError UNREADABLE, TOO_LONG, TOO_MANY_FRAMES
 */
export function readPacketMap(av: NodeAv, open: OpenVideo, limits: VideoLimits): PacketMap {
  const C = av.constants;
  for (const sound of open.audio) sound.discard = C.AVDISCARD_ALL;
  const { num, den } = open.video.timeBase;
  const budget = frameBudget(limits);
  const keys: { readonly packet: number; readonly stamp: bigint }[] = [];
  const stamps: bigint[] = [];
  let packets = 0;
  let first: bigint | null = null;
  let end = 0n;
  let sum = 0;
  const watch = new PacketWatch(av, open);
  using packet = new av.Packet();
  packet.alloc();
  for (; open.format.readFrameSync(packet) >= 0; packet.unref()) {
    if (packet.streamIndex !== open.video.index) continue;
    const stamp = packet.pts === C.AV_NOPTS_VALUE ? packet.dts : packet.pts;
    const isDecodable = watch.see(packet);
    const isKnown = stamp !== C.AV_NOPTS_VALUE;
    if (isKnown && watch.isKey(packet)) keys.push({ packet: packets, stamp });
    packets += 1;
    if (packets > budget) throw tooManyFrames(budget);
    if (!isKnown || !isDecodable || (packet.flags & C.AV_PKT_FLAG_DISCARD) !== 0) continue;
    stamps.push(stamp);
    sum += Number(packet.duration);
    if (first === null || stamp < first) first = stamp;
    const stop = stamp + (packet.duration > 0n ? packet.duration : 0n);
    if (stop > end || stamps.length === 1) end = stop;
    if ((Number(end - first) * num) / den > limits.maxSeconds + LENGTH_SLACK_SECONDS)
      throw tooLong(limits.maxSeconds);
  }
  if (first === null) throw new MediaError('UNREADABLE', 'The video cannot be read: it holds no pictures.');
  const origin = first;
  const ticks = stamps.map((stamp) => Number(stamp - origin));
  const last = ticks.reduce((most, tick) => Math.max(most, tick), 0);
  const lastLasts = Math.max(1, Math.round(last / Math.max(1, ticks.length - 1)));
  const storedEnd = Number(end - origin);
  // Computes the end as a probe does. WebM often omits the last picture's duration. MP4's durations
  // are distances in decoding order, so only their sum gives the end.
  const endTick = Math.max(storedEnd, sum, storedEnd > last ? 0 : last + lastLasts);
  if (endTick > MAX_TICKS) throw tooLong(limits.maxSeconds);
  const keyFrames = keys.map(({ packet: at, stamp }) => ({ packet: at, tick: Number(stamp - origin) }));
  // Decoding can always begin at the start of the file.
  if (keyFrames[0]?.packet !== 0) keyFrames.unshift({ packet: 0, tick: 0 });
  return {
    timeBase: { num, den },
    originTick: origin,
    storedEndTick: storedEnd,
    endTick,
    ticks,
    keyFrames,
  };
}

/** Returns the key frame at which decoding must begin for the pictures from `tick` on. */
export function keyFrameBefore(keyFrames: readonly KeyFrame[], tick: number): KeyFrame {
  let best = keyFrames[0]!;
  for (const key of keyFrames) if (key.tick <= tick && key.tick >= best.tick) best = key;
  return best;
}
