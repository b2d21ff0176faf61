import { availableParallelism } from 'node:os';
import type { CodecContext, Frame, Packet } from 'node-av/lib';
import { MediaError } from '../media-error.ts';
import type { NodeAv } from './node-av.ts';
import { decoderOptions, type OpenVideo } from './demux.ts';
import { PacketWatch } from './packet-watch.ts';
import { buildFrameFilter, filterChain, type FrameFilter, type WorkingFormat } from './filter-chain.ts';
import { checkSides, frameBudget, LENGTH_SLACK_SECONDS, tooLong, tooManyFrames } from './measure.ts';
import type { PartRange } from './clip-part.ts';
import type { TargetSize } from './target-size.ts';
import type { VideoLimits } from './video-types.ts';

export interface ReaderPlan {
  size: TargetSize;
  format: WorkingFormat;
  limits: VideoLimits;
  signal: AbortSignal | undefined;
  /** Threads of the decoder. Default: one for each core, up to eight. */
  threads?: number;
  /**
   * Number of pictures in the file before the first one to decode; see `FilmCut.keyFrames`.
   * Default: 0.
   */
  skippedPackets?: number;
  /**
   * Time stamp of the film's first picture, in ticks of the input track, for a reader that begins
   * later. Default: time stamp of the first decoded picture.
   */
  originTick?: bigint;
  /** Returns whether the packet with this number in the file is needed. Default: all are needed. */
  needs?: (packet: number) => boolean;
  /** Wanted pictures: those on the screen between these ticks. Default: all pictures. */
  part?: Pick<PartRange, 'fromTick' | 'toTick'>;
  /** Receives the packets of the sound tracks in file order. */
  onSound?: (packet: Packet) => Promise<void>;
  /**
   * Called before a decoded picture is turned, scaled and converted. Returning false drops the
   * picture at little cost.
   */
  keep?: (timeSeconds: number) => boolean;
}

export interface ReaderState {
  /** Number of pictures that the decoder repaired or refused. */
  damaged: number;
  /** Time stamp of the first picture, in ticks of the input track. */
  firstTick: bigint;
  /** Time stamp of the last picture, in ticks of the input track. */
  lastTick: bigint;
}

/** Number of seconds by which frames may come early before a clip counts as too dense. */
const MAX_BURST_SECONDS = 10;

/** Threads of decoder and filters, one for each core up to eight. */
const MAX_THREADS = Math.min(8, availableParallelism());

/**
 * Yields every picture of the clip, upright, in the working size and format, with strictly rising
 * time stamps in the input track's own ticks. The receiver owns each frame and frees it.
 * @throws MediaError DAMAGED, TOO_LONG, TOO_MANY_FRAMES; the signal's reason
 */
export async function* readFrames(
  av: NodeAv,
  open: OpenVideo,
  plan: ReaderPlan,
  state: ReaderState,
): AsyncGenerator<Frame, void, undefined> {
  const decoder = await openDecoder(av, open, plan);
  const shaper = new FrameShaper(av, open, plan);
  const packet = new av.Packet();
  packet.alloc();
  const clock = new FrameClock(av, open, plan, state);
  const keep = plan.keep;
  const watch = new PacketWatch(av, open);
  const screen = new PartScreen(plan.part);
  let skipped = 0;
  let packets = 0;
  try {
    for (;;) {
      plan.signal?.throwIfAborted();
      const read = open.format.readFrameSync(packet);
      const atEnd = read < 0;
      if (!atEnd && packet.streamIndex !== open.video.index) {
        if (plan.onSound !== undefined) await plan.onSound(packet);
        packet.unref();
        continue;
      }
      if (screen.isOver) {
        // The remaining packets are sound.
        packet.unref();
        if (atEnd || plan.onSound === undefined) break;
        continue;
      }
      if (!atEnd) watch.see(packet);
      if (!atEnd && skipped < (plan.skippedPackets ?? 0)) {
        skipped += 1;
        packet.unref();
        continue;
      }
      if (!atEnd && plan.needs?.(packets++) === false) {
        packet.unref();
        continue;
      }
      const sent = await decoder.sendPacket(atEnd ? null : packet);
      packet.unref();
      if (sent < 0 && !atEnd) state.damaged += 1;
      for (;;) {
        const frame = await receive(av, decoder, state, atEnd);
        if (frame === null) break;
        if (!clock.stamp(frame)) {
          frame.free();
          continue;
        }
        for (const shown of screen.take(frame)) {
          if (keep !== undefined && !keep(clock.seconds(shown))) shown.free();
          else yield* shaper.shape(shown);
        }
      }
      if (atEnd) break;
    }
    for (const shown of screen.flush()) {
      if (keep !== undefined && !keep(clock.seconds(shown))) shown.free();
      else yield* shaper.shape(shown);
    }
    yield* shaper.flush();
  } finally {
    packet.free();
    screen.close();
    shaper.close();
    decoder.freeContext();
  }
}

async function openDecoder(av: NodeAv, open: OpenVideo, plan: ReaderPlan): Promise<CodecContext> {
  const C = av.constants;
  // FFmpeg's own VP8 and VP9 decoders drop the alpha layer. libvpx's decoders keep it and are
  // slower.
  const wantsAlpha = open.alpha && plan.format !== 'yuv420p';
  const named =
    wantsAlpha && open.codec === 'vp9'
      ? av.Codec.findDecoderByName(C.FF_DECODER_LIBVPX_VP9)
      : wantsAlpha && open.codec === 'vp8'
        ? av.Codec.findDecoderByName(C.FF_DECODER_LIBVPX_VP8)
        : null;
  const codec = named ?? av.Codec.findDecoder(open.video.codecpar.codecId);
  if (codec === null) throw new MediaError('UNSUPPORTED', `The video codec ${open.codec} is not supported.`);
  const context = new av.CodecContext();
  context.allocContext3(codec);
  context.parametersToContext(open.video.codecpar);
  context.pktTimebase = open.video.timeBase;
  context.threadCount = plan.threads ?? MAX_THREADS;
  const opened = await context.open2(codec, decoderOptions(av, plan.limits));
  if (opened < 0) {
    context.freeContext();
    throw new MediaError('DAMAGED', 'The video is damaged and cannot be decoded.', {
      cause: new Error(av.FFmpegError.strerror(opened)),
    });
  }
  return context;
}

/**
 * Returns the next picture if one is ready. Sending a packet decodes it; at the end (`isDraining`),
 * receiving waits for the decoder.
 */
async function receive(
  av: NodeAv,
  decoder: CodecContext,
  state: ReaderState,
  isDraining: boolean,
): Promise<Frame | null> {
  const C = av.constants;
  const frame = new av.Frame();
  frame.alloc();
  for (;;) {
    const result = isDraining ? await decoder.receiveFrame(frame) : decoder.receiveFrameSync(frame);
    if (result >= 0) {
      if (frame.decodeErrorFlags !== 0 || frame.hasFlags(C.AV_FRAME_FLAG_CORRUPT)) state.damaged += 1;
      return frame;
    }
    if (result === C.AVERROR_EAGAIN || result === C.AVERROR_EOF) {
      frame.free();
      return null;
    }
    // One picture could not be decoded. The decoder continues with the next.
    state.damaged += 1;
    frame.unref();
  }
}

/** Passes on the pictures that are on the screen during a part of the clip. */
class PartScreen {
  readonly #part: ReaderPlan['part'];
  /**
   * The last picture before the part, which is on the screen when the part begins, unless another
   * picture begins at that moment.
   */
  #held: Frame | null = null;
  /** Whether the part has ended. */
  isOver = false;

  constructor(part: ReaderPlan['part']) {
    this.#part = part;
  }

  /** Takes over a picture. @returns the pictures that are now known to be on the screen */
  take(frame: Frame): Frame[] {
    const part = this.#part;
    if (part === undefined) return [frame];
    if (frame.pts < part.fromTick) {
      this.close();
      this.#held = frame;
      return [];
    }
    const before = frame.pts === part.fromTick ? [] : this.flush();
    this.close();
    if (frame.pts >= part.toTick) {
      this.isOver = true;
      frame.free();
      return before;
    }
    if (frame.duration > part.toTick - frame.pts) frame.duration = part.toTick - frame.pts;
    return [...before, frame];
  }

  /** Returns the waiting picture, moved to the start of the part. */
  flush(): Frame[] {
    const held = this.#held;
    this.#held = null;
    if (held === null) return [];
    const { fromTick, toTick } = this.#part!;
    const end = held.pts + held.duration;
    held.pts = fromTick;
    if (held.duration > 0n) held.duration = (end < toTick ? end : toTick) - fromTick;
    if (held.duration < 0n) held.duration = 0n;
    return [held];
  }

  close(): void {
    this.#held?.free();
    this.#held = null;
  }
}

/** Computes the time of every frame, drops frames that go backwards, and ends an endless clip. */
class FrameClock {
  readonly #av: NodeAv;
  readonly #tick: number;
  readonly #limits: VideoLimits;
  readonly #state: ReaderState;
  readonly #frameBudget: number;
  readonly #originTick: bigint | undefined;
  #frames = 0;
  /** Time of the first decoded picture, if it is before the origin. */
  #leadSeconds = 0;

  constructor(
    av: NodeAv,
    open: OpenVideo,
    { limits, originTick }: Pick<ReaderPlan, 'limits' | 'originTick'>,
    state: ReaderState,
  ) {
    this.#av = av;
    this.#tick = open.video.timeBase.num / open.video.timeBase.den;
    this.#limits = limits;
    this.#state = state;
    this.#frameBudget = frameBudget(limits);
    this.#originTick = originTick;
  }

  stamp(frame: Frame): boolean {
    const none = this.#av.constants.AV_NOPTS_VALUE;
    const state = this.#state;
    const best = frame.bestEffortTimestamp === none ? frame.pts : frame.bestEffortTimestamp;
    if (best === none || (this.#frames > 0 && best <= state.lastTick)) {
      state.damaged += 1;
      return false;
    }
    if (this.#frames === 0) state.firstTick = this.#originTick ?? best;
    this.#frames += 1;
    state.lastTick = best;
    frame.pts = best;
    if (this.#frames === 1) this.#leadSeconds = Math.min(0, this.seconds(frame));
    checkSides(frame.width, frame.height, this.#limits, 'video');
    if (this.seconds(frame) > this.#limits.maxSeconds + LENGTH_SLACK_SECONDS)
      throw tooLong(this.#limits.maxSeconds);
    if (this.#frames > this.#frameBudget) throw tooManyFrames(this.#frameBudget);
    // Frames may come ten seconds early in a burst. A clip that is all burst is refused here.
    const rate = this.#limits.maxFramesPerSecond;
    if (this.#frames > rate * (this.seconds(frame) - this.#leadSeconds + MAX_BURST_SECONDS))
      throw tooManyFrames(rate);
    return true;
  }

  seconds(frame: Frame): number {
    return Number(frame.pts - this.#state.firstTick) * this.#tick;
  }
}

/**
 * Turns, scales, deinterlaces, tone-maps and converts frames. The filter graph is rebuilt if the
 * stream changes.
 */
class FrameShaper {
  readonly #av: NodeAv;
  readonly #open: OpenVideo;
  readonly #plan: ReaderPlan;
  #filter: FrameFilter | null = null;
  #key = '';
  #interlaced = false;

  constructor(av: NodeAv, open: OpenVideo, plan: ReaderPlan) {
    this.#av = av;
    this.#open = open;
    this.#plan = plan;
  }

  async *shape(frame: Frame): AsyncGenerator<Frame, void, undefined> {
    const av = this.#av;
    const C = av.constants;
    const format = av.avGetPixFmtName(frame.format as never) ?? 'unknown';
    if (frame.hasFlags(C.AV_FRAME_FLAG_INTERLACED)) this.#interlaced = true;
    const tagged = this.#open.video.codecpar.colorSpace;
    // VP8's own header can only state BT.601. Like players, this uses the container's tag.
    if (this.#open.codec === 'vp8' && tagged !== C.AVCOL_SPC_UNSPECIFIED) frame.colorSpace = tagged;
    if (this.#open.hdr !== null) {
      // Some phones tag only the transfer curve. HDR uses BT.2020.
      if (frame.colorSpace === C.AVCOL_SPC_UNSPECIFIED) frame.colorSpace = C.AVCOL_SPC_BT2020_NCL;
      if (frame.colorPrimaries === C.AVCOL_PRI_UNSPECIFIED) frame.colorPrimaries = C.AVCOL_PRI_BT2020;
    }
    const key = `${frame.width}x${frame.height} ${format} ${frame.colorSpace} ${frame.colorRange} ${this.#interlaced}`;
    if (key !== this.#key) {
      yield* this.flush();
      this.#key = key;
      const chain = filterChain(
        {
          orientation: this.#open.orientation,
          size: this.#plan.size,
          format: this.#plan.format,
          hdr: this.#open.hdr !== null,
          deinterlace: this.#interlaced,
        },
        { width: frame.width, height: frame.height, format },
      );
      this.#filter =
        chain === null ? null : buildFrameFilter(av, chain, frame, this.#open.video.timeBase, MAX_THREADS);
    }
    if (this.#filter === null) {
      yield settleFormat(av, frame);
      return;
    }
    await this.#filter.push(frame);
    frame.free();
    yield* this.#ready(this.#filter);
  }

  async *flush(): AsyncGenerator<Frame, void, undefined> {
    const filter = this.#filter;
    if (filter === null) return;
    await filter.push(null);
    yield* this.#ready(filter);
    this.close();
  }

  close(): void {
    this.#filter?.close();
    this.#filter = null;
    this.#key = '';
  }

  async *#ready(filter: FrameFilter): AsyncGenerator<Frame, void, undefined> {
    for (;;) {
      const out = new this.#av.Frame();
      out.alloc();
      if (!(await filter.pull(out))) {
        out.free();
        return;
      }
      yield settleFormat(this.#av, out);
    }
  }
}

/**
 * Moves "full range" from the name of the format yuvj420p to the range field, from which all later
 * steps read it.
 */
function settleFormat(av: NodeAv, frame: Frame): Frame {
  if (frame.format === av.constants.AV_PIX_FMT_YUVJ420P) {
    frame.format = av.constants.AV_PIX_FMT_YUV420P;
    frame.colorRange = av.constants.AVCOL_RANGE_JPEG;
  }
  return frame;
}
