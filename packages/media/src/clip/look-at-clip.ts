import { readGifFrames } from '../gif/read-gif.ts';
import { probeGif } from '../gif/probe-gif.ts';
import { RgbaFrame } from '../gif/rgba-frame.ts';
import { type NodeAv, requireNodeAv } from '../video/node-av.ts';
import { readContainer } from '../video/container.ts';
import { openVideo, type OpenVideo } from '../video/demux.ts';
import { FramePool } from '../video/frame-pool.ts';
import { readFrames, type ReaderState } from '../video/frame-reader.ts';
import { toMicroseconds } from '../video/measure.ts';
import { keyFrameBefore, type PacketMap, readPacketMap } from '../video/packet-map.ts';
import { targetSize } from '../video/target-size.ts';
import { DEFAULT_VIDEO_LIMITS, type MediaFrame, type VideoLimits } from '../video/video-types.ts';
import { wrapAvFrame } from '../video/yuv-frame.ts';

/** Options of `lookAtClip`. A look is one picture of the clip that is passed to `onLook`. */
export interface LookOptions {
  readonly inputPath: string;
  readonly limits?: Partial<VideoLimits>;
  /** Largest number of looks. Default: `MAX_LOOKS`. */
  readonly mostLooks?: number;
  /** Number of the first look to take, counted from 0. Earlier looks were taken already. */
  readonly from: number;
  readonly signal?: AbortSignal;
  /** Receives the picture of each look. */
  readonly onLook: (frame: MediaFrame) => Promise<void>;
  /** Called after each look; returns whether to take another one. */
  readonly goesOn: () => boolean;
}

/** Size of a clip, and how many of its looks have been taken. */
export interface LookedClip {
  /** Pixels of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** Number of all looks at the clip. */
  readonly looks: number;
  /** Number of the look that comes next; `looks` if all were taken. */
  readonly next: number;
}

/** Largest number of looks that tell who is in a clip. */
export const MAX_LOOKS = 60;
/** Largest number of pictures in a clip whose looks are spread over all its pictures. */
const MAX_DECODED = 1500;
/**
 * Smallest number of key frames in a longer clip whose looks are spread over its key frames only.
 */
const MIN_KEY_FRAMES = 20;

/**
 * Passes pictures that are spread over a clip to `onLook`. For one clip the pictures are always the
 * same. Call it in a child process, because it runs native code on untrusted bytes.
 * @throws MediaError; the signal's reason; the error of `onLook`
 */
export async function lookAtClip(options: LookOptions): Promise<LookedClip> {
  const limits = { ...DEFAULT_VIDEO_LIMITS, ...options.limits };
  const container = await readContainer(options.inputPath);
  if (container === 'gif') return lookAtGif(limits, options);
  const av = await requireNodeAv();
  const openClip = (): Promise<OpenVideo> => openVideo(av, options.inputPath, container, limits);
  let map: PacketMap;
  {
    using mapped = await openClip();
    map = readPacketMap(av, mapped, limits);
  }
  using open = await openClip();
  return await lookAtVideo(av, open, map, limits, options);
}

/** Chooses the pictures of a video to look at, and returns their ticks in rising order. */
function chooseLooks({ ticks, keyFrames }: Pick<PacketMap, 'ticks' | 'keyFrames'>, most: number): number[] {
  const all = ticks.toSorted((a, b) => a - b);
  const shown = new Set(all);
  const keys = keyFrames.map(({ tick }) => tick).filter((tick) => shown.has(tick));
  const isLong = all.length > MAX_DECODED && keys.length >= MIN_KEY_FRAMES;
  return spread(isLong ? keys.toSorted((a, b) => a - b) : all, most);
}

/** Picks at most `most` of the numbers, evenly spread. */
function spread(from: readonly number[], most: number): number[] {
  const count = Math.min(most, from.length);
  return Array.from({ length: count }, (_, k) => from[Math.floor(((k + 0.5) * from.length) / count)]!);
}

async function lookAtVideo(
  av: NodeAv,
  open: OpenVideo,
  map: PacketMap,
  limits: VideoLimits,
  { mostLooks = MAX_LOOKS, from, signal, onLook, goesOn }: LookOptions,
): Promise<LookedClip> {
  for (const sound of open.audio) sound.discard = av.constants.AVDISCARD_ALL;
  const { codecpar, timeBase } = open.video;
  const turned = open.orientation.swapsSides;
  const [width, height] = turned ? [codecpar.height, codecpar.width] : [codecpar.width, codecpar.height];
  const looks = chooseLooks(map, mostLooks);
  const wanted = new Set(looks.slice(from));
  const needed = groupsOf(map, looks.slice(from));
  const tick = timeBase.num / timeBase.den;
  const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
  const plan = {
    size: targetSize(width, height, {}, true),
    format: 'yuv420p' as const,
    limits,
    signal,
    originTick: map.originTick,
    needs: (packet: number): boolean => needed.has(packet),
    keep: (seconds: number): boolean => wanted.has(Math.round(seconds / tick)),
  };
  using pool = new FramePool(av);
  let next = from;
  for await (const decoded of readFrames(av, open, plan, state)) {
    signal?.throwIfAborted();
    const frame = pool.takeOver(decoded);
    const at = Number(frame.pts - map.originTick);
    const view = wrapAvFrame(frame, next, toMicroseconds(at * tick));
    await onLook(view);
    view.release();
    pool.release(frame);
    // The look at a picture that could not be decoded is skipped.
    next = looks.indexOf(at) + 1;
    if (next < looks.length && !goesOn()) return { width, height, looks: looks.length, next };
  }
  return { width, height, looks: looks.length, next: looks.length };
}

/**
 * Returns the packets to decode for some looks: all groups of pictures that contain them. A group
 * whose only look is its key frame needs only the packet of that key frame.
 */
function groupsOf({ keyFrames, ticks }: PacketMap, looks: readonly number[]): ReadonlySet<number> {
  const begins = keyFrames.map(({ packet }) => packet).toSorted((a, b) => a - b);
  const needed = new Set<number>();
  for (const begin of new Set(looks.map((look) => keyFrameBefore(keyFrames, look).packet))) {
    const end = begins.find((other) => other > begin) ?? ticks.length + begins.length;
    const isKeyAlone = looks.every(
      (look) => keyFrameBefore(keyFrames, look).packet !== begin || isKey(keyFrames, look),
    );
    for (let packet = begin; packet < (isKeyAlone ? begin + 1 : end); packet += 1) needed.add(packet);
  }
  return needed;
}

function isKey(keyFrames: PacketMap['keyFrames'], tick: number): boolean {
  return keyFrames.some((key) => key.tick === tick);
}

async function lookAtGif(
  limits: VideoLimits,
  { inputPath, mostLooks = MAX_LOOKS, from, signal, onLook, goesOn }: LookOptions,
): Promise<LookedClip> {
  const { width, height, frameCount } = await probeGif(inputPath, limits);
  const looks = spread(
    Array.from({ length: frameCount }, (_, k) => k),
    mostLooks,
  );
  const clip = { width, height, looks: looks.length };
  let index = -1;
  for await (const { rgba, timeSeconds } of readGifFrames(inputPath, limits)) {
    signal?.throwIfAborted();
    index += 1;
    const look = looks.indexOf(index);
    if (look < from) continue;
    await onLook(new RgbaFrame(rgba, width, height, look, timeSeconds));
    if (look + 1 < looks.length && !goesOn()) return { ...clip, next: look + 1 };
  }
  return { ...clip, next: looks.length };
}
