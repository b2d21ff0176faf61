import { CLIP_FORMATS, type VideoFormat } from '@guise/contract/formats.ts';
import { rename, rm, stat } from 'node:fs/promises';
import type { Frame, Packet } from 'node-av/lib';
import { MediaError } from '../media-error.ts';
import type { NodeAv } from './node-av.ts';
import { BoundedQueue } from './bounded-queue.ts';
import type { PartRange } from './clip-part.ts';
import type { OpenVideo } from './demux.ts';
import { FramePool } from './frame-pool.ts';
import { readFrames, type ReaderPlan, type ReaderState } from './frame-reader.ts';
import { lookAhead } from './look-ahead.ts';
import { OutputFile } from './output-file.ts';
import { toMicroseconds } from './measure.ts';
import { syncFile } from './sync-file.ts';
import { isBeside, openSound, type SoundPart, soundPartOf, type SoundTrack } from './sound.ts';
import { targetSize } from './target-size.ts';
import { openVideoEncoder, type VideoEncoder } from './video-encoder.ts';
import { type ProcessOptions, type ProcessResult, type VideoLimits } from './video-types.ts';
import { wrapAvFrame, type YuvFrame } from './yuv-frame.ts';

/**
 * Number of frames that may wait before the swap, and also before the encoder. This number is
 * enough for the stages to overlap, and takes some tens of MB at 1080p.
 */
const QUEUE_FRAMES = 2;

/**
 * Largest picture that one thread decodes faster than two. Each further thread keeps its own
 * pictures in memory (7 MB at 720p).
 */
const MAX_PIXELS_FOR_ONE_THREAD = 1280 * 720;

/** Largest amount of sound that may wait for the first picture. A normal clip needs kilobytes. */
const MAX_WAITING_SOUND_BYTES = 64 * 1024 * 1024;

/**
 * Decodes, edits and encodes an open clip, all three at the same time; see `processVideo`.
 * @param range part of the clip that is wanted; default: all of it
 */
export async function transcode(
  av: NodeAv,
  open: OpenVideo,
  container: VideoFormat,
  limits: VideoLimits,
  options: ProcessOptions,
  range?: PartRange,
): Promise<ProcessResult> {
  const part = `${options.outputPath}.part`;
  const job = new TranscodeJob(av, open, container, limits, options, part, range);
  try {
    const result = await job.run();
    await syncFile(part);
    const { size } = await stat(part);
    await rename(part, options.outputPath);
    return { ...result, sizeBytes: size };
  } catch (error) {
    await rm(part, { force: true });
    // The file is to blame for time stamps or sound headers that the muxer refuses, but not for a
    // full disk.
    if (error instanceof av.FFmpegError && (error.isEINVAL || error.isInvalidData)) {
      throw new MediaError('DAMAGED', 'The video is damaged and cannot be rewritten.', { cause: error });
    }
    throw error;
  }
}

/**
 * Returns the plan for reading a clip's pictures in the size and format in which they are edited.
 * @param range part of the clip that is wanted; default: all of it
 */
export function readerPlan(
  open: OpenVideo,
  container: VideoFormat,
  limits: VideoLimits,
  options: Pick<ProcessOptions, 'maxShortSide' | 'maxLongSide' | 'signal'>,
  range: PartRange | undefined,
): ReaderPlan {
  const { codecpar } = open.video;
  const turned = open.orientation.swapsSides;
  const width = turned ? codecpar.height : codecpar.width;
  const height = turned ? codecpar.width : codecpar.height;
  return {
    // VP9 accepts odd widths and heights; H.264 in 4:2:0 does not.
    size: targetSize(width, height, options, container !== 'webm'),
    format: container === 'webm' && open.alpha ? 'yuva420p' : 'yuv420p',
    limits,
    signal: options.signal,
    ...(width * height <= MAX_PIXELS_FOR_ONE_THREAD ? { threads: 1 } : {}),
    ...(range === undefined
      ? {}
      : { skippedPackets: range.skippedPackets, originTick: range.fromTick, part: range }),
  };
}

class TranscodeJob {
  readonly #av: NodeAv;
  readonly #open: OpenVideo;
  readonly #container: VideoFormat;
  readonly #limits: VideoLimits;
  readonly #options: ProcessOptions;
  readonly #output: OutputFile;
  readonly #sounds = new Map<number, SoundTrack>();
  readonly #state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
  readonly #decoded = new BoundedQueue<Frame>(QUEUE_FRAMES);
  readonly #edited = new BoundedQueue<Frame>(QUEUE_FRAMES);
  readonly #pool: FramePool;
  readonly #range: PartRange | undefined;
  /**
   * The encoder, which is opened when the first picture is decoded, while that picture is edited.
   */
  #encoder: Promise<VideoEncoder> | null = null;
  #waitingSound: Packet[] = [];
  #waitingBytes = 0;
  #begun = false;
  #frames = 0;
  #endTick = 0n;
  #size = { width: 0, height: 0 };

  constructor(
    av: NodeAv,
    open: OpenVideo,
    container: VideoFormat,
    limits: VideoLimits,
    options: ProcessOptions,
    part: string,
    range: PartRange | undefined,
  ) {
    this.#range = range;
    this.#av = av;
    this.#pool = new FramePool(av);
    this.#open = open;
    this.#container = container;
    this.#limits = limits;
    this.#options = options;
    this.#output = new OutputFile(av, part, container, open.startMicros);
  }

  async run(): Promise<Omit<ProcessResult, 'sizeBytes'>> {
    const stages = [this.#decode(), this.#edit(), this.#encode()];
    try {
      await Promise.all(stages);
      for (const sound of this.#sounds.values()) await sound.finish();
      await this.#output.finish();
      return this.#result();
    } catch (error) {
      this.#decoded.fail(error);
      this.#edited.fail(error);
      // A native object may be freed only after every stage has left it.
      await Promise.allSettled(stages);
      throw error;
    } finally {
      (await this.#encoder?.catch(() => null))?.close();
      for (const frame of [...this.#decoded.drain(), ...this.#edited.drain()]) this.#pool.release(frame);
      this.#pool[Symbol.dispose]();
      for (const packet of this.#waitingSound) packet.free();
      await this.#output.close();
      for (const sound of this.#sounds.values()) sound.close();
    }
  }

  async #decode(): Promise<void> {
    const plan = {
      ...readerPlan(this.#open, this.#container, this.#limits, this.#options, this.#range),
      onSound: (packet: Packet) => this.#onSound(packet),
    };
    await this.#failingBoth(async () => {
      for await (const frame of readFrames(this.#av, this.#open, plan, this.#state)) {
        if (this.#encoder === null) {
          this.#encoder = this.#begin(frame);
          // `#encode` awaits the same promise and reports the error.
          this.#encoder.catch(() => undefined);
        }
        await this.#pushOrRelease(this.#decoded, frame);
      }
      this.#decoded.end();
    });
  }

  async #edit(): Promise<void> {
    const { onFrame, ahead, signal } = this.#options;
    await this.#failingBoth(async () => {
      if (onFrame === undefined) {
        for (let frame = await this.#decoded.pull(); frame !== null; frame = await this.#decoded.pull())
          await this.#pushOrRelease(this.#edited, frame);
      } else {
        for await (const { frame, view } of lookAhead(this.#ownFrames(), ahead)) {
          signal?.throwIfAborted();
          await onFrame(view);
          view.release();
          await this.#pushOrRelease(this.#edited, frame);
        }
      }
      this.#edited.end();
    });
  }

  /** Yields the decoded pictures in frames from the pool. */
  async *#ownFrames(): AsyncGenerator<{ frame: Frame; view: YuvFrame }, void, undefined> {
    const tick = this.#open.video.timeBase.num / this.#open.video.timeBase.den;
    for (let index = 0; ; index += 1) {
      this.#options.signal?.throwIfAborted();
      const decoded = await this.#decoded.pull();
      if (decoded === null) return;
      const frame = this.#takeOver(decoded);
      const seconds = Number(frame.pts - this.#state.firstTick) * tick;
      yield { frame, view: wrapAvFrame(frame, index, toMicroseconds(seconds)) };
    }
  }

  #takeOver(decoded: Frame): Frame {
    try {
      return this.#pool.takeOver(decoded);
    } catch (error) {
      decoded.free();
      throw error;
    }
  }

  async #encode(): Promise<void> {
    let progress = 0;
    const { onProgress, signal } = this.#options;
    const timeBase = this.#open.video.timeBase;
    const claimed = this.#claimedTicks();
    const write = (packet: Packet): void => this.#output.write(packet, this.#output.addedVideo, timeBase);
    await this.#failingBoth(async () => {
      for (;;) {
        const frame = await this.#edited.pull();
        if (frame === null) break;
        try {
          signal?.throwIfAborted();
          const encoder = await this.#encoder!;
          // The output of a part begins at the time stamp at which the whole clip begins.
          if (this.#range !== undefined) frame.pts -= this.#range.fromTick - this.#range.originTick;
          // The encoder chooses the picture type; the input's type is ignored.
          frame.pictType = this.#av.constants.AV_PICTURE_TYPE_NONE;
          await encoder.encode(frame, write);
          this.#frames += 1;
          const last = frame.pts + (frame.duration > 0n ? frame.duration : 0n);
          this.#endTick = last;
          if (onProgress !== undefined) {
            const done = Number(last - this.#firstTick);
            progress = Math.max(progress, claimed > 0 ? Math.min(1, done / claimed) : 0);
            const secondsDone = (done * timeBase.num) / timeBase.den;
            onProgress({ framesDone: this.#frames, secondsDone, fraction: progress });
          }
        } finally {
          this.#pool.release(frame);
        }
      }
      if (this.#encoder === null) throw noPicture();
      await (await this.#encoder).encode(null, write);
    });
  }

  /**
   * Opens the encoder and writes the container's header. Both depend on the first frame, which is
   * read before the first `await`.
   */
  async #begin(first: Frame): Promise<VideoEncoder> {
    const { video } = this.#open;
    const rate = video.avgFrameRate.den > 0 ? video.avgFrameRate.num / video.avgFrameRate.den : 0;
    this.#size = { width: first.width, height: first.height };
    const encoder = await openVideoEncoder(
      this.#av,
      {
        container: this.#container,
        timeBase: video.timeBase,
        framesPerSecond: rate > 0 && Number.isFinite(rate) ? rate : 25,
        hardware: this.#options.hardware,
      },
      first,
    );
    this.#output.addVideo(encoder.context);
    for (const stream of this.#open.audio) {
      const sound = await openSound(this.#av, stream, this.#container, this.#output, this.#soundPart);
      if (sound !== null) this.#sounds.set(stream.index, sound);
    }
    await this.#output.begin(video.timeBase.num === 1 ? video.timeBase.den : null);
    this.#begun = true;
    // While packets wait here, `#onSound` adds newer packets behind them.
    for (let packet = this.#waitingSound[0]; packet !== undefined; packet = this.#waitingSound[0]) {
      await this.#sounds.get(packet.streamIndex)?.write(packet);
      this.#waitingSound.shift();
      packet.free();
    }
    return encoder;
  }

  get #soundPart(): SoundPart | undefined {
    return this.#range && soundPartOf(this.#range, this.#open.video.timeBase);
  }

  async #onSound(packet: Packet): Promise<void> {
    const part = this.#soundPart;
    const stream = this.#open.audio.find(({ index }) => index === packet.streamIndex);
    // Sound outside the part is dropped. If it waited for the first picture, it would fill the
    // memory before a part near the end of a long clip.
    if (part !== undefined && stream !== undefined && isBeside(this.#av, packet, stream, part)) return;
    if (this.#begun && this.#waitingSound.length === 0) {
      await this.#sounds.get(packet.streamIndex)?.write(packet);
      return;
    }
    this.#waitingBytes += packet.size;
    const copy = packet.clone();
    if (copy === null || this.#waitingBytes > MAX_WAITING_SOUND_BYTES) {
      copy?.free();
      throw new MediaError('RESOURCE_LIMIT', 'The video holds too much sound before its first picture.');
    }
    this.#waitingSound.push(copy);
  }

  /** Time stamp of the first picture in the output. */
  get #firstTick(): bigint {
    return this.#range?.originTick ?? this.#state.firstTick;
  }

  #claimedTicks(): number {
    if (this.#range !== undefined) return Number(this.#range.toTick - this.#range.fromTick);
    const { video, format, claimedTicks } = this.#open;
    if (claimedTicks > 0n) return Number(claimedTicks);
    const micros = Number(format.duration);
    return micros > 0 ? ((micros / 1e6) * video.timeBase.den) / video.timeBase.num : 0;
  }

  #result(): Omit<ProcessResult, 'sizeBytes'> {
    const { timeBase } = this.#open.video;
    const range = this.#range;
    const duration = range === undefined ? this.#open.claimedTicks : range.toTick - range.fromTick;
    const tick = timeBase.num / timeBase.den;
    const covered = Number(this.#endTick - this.#firstTick);
    // A few pictures may be missing at the end, but not half a clip, because the client pays for
    // all of it.
    if (duration > 0n && covered + 1 / tick < Number(duration) / 2) {
      throw new MediaError('DAMAGED', 'The video is cut short.');
    }
    // The header's duration is used if it is about the same, because with B-frames the last frame's
    // duration is a guess.
    const exact =
      duration > 0n && Math.abs(Number(duration) - covered) * tick < 1 ? Number(duration) : covered;
    const copied = [...this.#sounds.values()].some((sound) => sound.copied);
    return {
      container: this.#container,
      contentType: CLIP_FORMATS[this.#container].contentType,
      ...this.#size,
      durationSeconds: toMicroseconds(exact * tick),
      frameCount: this.#frames,
      damagedFrames: this.#state.damaged,
      audio: this.#sounds.size === 0 ? 'none' : copied ? 'copied' : 'encoded',
    };
  }

  async #pushOrRelease(queue: BoundedQueue<Frame>, frame: Frame): Promise<void> {
    try {
      await queue.push(frame);
    } catch (error) {
      this.#pool.release(frame);
      throw error;
    }
  }

  async #failingBoth(stage: () => Promise<void>): Promise<void> {
    try {
      await stage();
    } catch (error) {
      this.#decoded.fail(error);
      this.#edited.fail(error);
      throw error;
    }
  }
}

function noPicture(): MediaError {
  return new MediaError('DAMAGED', 'The video is damaged: no picture could be decoded.');
}
