import { rm } from 'node:fs/promises';
import type { Frame, Packet } from 'node-av/lib';
import { MediaError } from '../media-error.ts';
import type { NodeAv } from '../video/node-av.ts';
import { BoundedQueue } from '../video/bounded-queue.ts';
import { FramePool } from '../video/frame-pool.ts';
import type { ReaderState } from '../video/frame-reader.ts';
import { toMicroseconds } from '../video/measure.ts';
import type { VideoEncoder } from '../video/video-encoder.ts';
import type { MediaFrame, VideoLimits } from '../video/video-types.ts';
import { wrapAvFrame } from '../video/yuv-frame.ts';
import { type FilmEncoding, nameOfEncoder, openFilmEncoder } from './film-encoder.ts';
import { type OpenFilm, openFilm } from './open-film.ts';
import { PacketWriter } from './packet-file.ts';
import { readSegment, type SegmentPlan } from './segment-frames.ts';
import { ownFrame } from './study-frames.ts';

/** What to draw of a film, and the functions that draw it. */
export interface DrawOptions extends SegmentPlan, FilmEncoding {
  readonly inputPath: string;
  /** Path of the new file for the segment's packets; see `PacketReader`. */
  readonly outputPath: string;
  readonly limits?: Partial<VideoLimits>;
  /** Ticks since the film's first picture at which the segment begins. */
  readonly from: number;
  /** Tick before which the segment ends. */
  readonly to: number;
  /** Pictures before the segment, in ticks, which are shown first and not written. */
  readonly lead: readonly number[];
  /** Receives each picture in order, and edits it. */
  readonly onFrame: (frame: MediaFrame, tick: number) => Promise<void>;
  /** Called with the number of pictures that were written. */
  readonly onWritten?: (frames: number) => void;
}

/** Frames that wait for the encoder. */
const QUEUE_FRAMES = 2;

/**
 * Decodes, edits and encodes one segment of a film, all three at the same time. Its packets are a
 * closed group that begins with a key frame. Every machine makes the same packets.
 *
 * Call it in a child process, because it runs native code on untrusted bytes.
 * @returns the number of pictures written
 * @throws MediaError; the signal's reason; the error of `onFrame`
 */
export async function drawFrames(options: DrawOptions): Promise<number> {
  using film = await openFilm(options.inputPath, options.limits);
  const writer = await PacketWriter.create(options.outputPath);
  try {
    const frames = await new SegmentJob(film, options, writer).run();
    await writer.close();
    return frames;
  } catch (error) {
    await writer.close();
    await rm(options.outputPath, { force: true });
    throw error;
  }
}

class SegmentJob {
  readonly #film: OpenFilm;
  readonly #options: DrawOptions;
  readonly #writer: PacketWriter;
  readonly #pool: FramePool;
  readonly #edited = new BoundedQueue<Frame>(QUEUE_FRAMES);

  constructor(film: OpenFilm, options: DrawOptions, writer: PacketWriter) {
    this.#film = film;
    this.#options = options;
    this.#writer = writer;
    this.#pool = new FramePool(film.av);
  }

  async run(): Promise<number> {
    const { av, open } = this.#film;
    const encoder = await openFilmEncoder(av, open, this.#options);
    const encoding = this.#encode(encoder);
    encoding.catch(() => undefined);
    try {
      await this.#edit();
      const frames = await encoding;
      await this.#writer.finish(nameOfEncoder(encoder));
      return frames;
    } catch (error) {
      this.#edited.fail(error);
      // A native object may be freed only after the encoder has left it.
      await Promise.allSettled([encoding]);
      throw error;
    } finally {
      encoder.close();
      for (const frame of this.#edited.drain()) this.#pool.release(frame);
      this.#pool[Symbol.dispose]();
    }
  }

  async #edit(): Promise<void> {
    const { cut, from, to, lead, onFrame, shape, signal } = this.#options;
    const state: ReaderState = { damaged: 0, firstTick: 0n, lastTick: 0n };
    const secondsPerTick = cut.timeBase.num / cut.timeBase.den;
    const shown = new Set(lead);
    const range = { from: lead[0] ?? from, to, keep: (tick: number) => tick >= from || shown.has(tick) };
    let index = 0;
    for await (const { frame: decoded, tick } of readSegment(this.#film, this.#options, range, state)) {
      const frame = ownFrame(this.#pool, decoded);
      try {
        signal?.throwIfAborted();
        if (frame.width !== shape.width || frame.height !== shape.height || frame.format !== shape.format)
          throw new MediaError('DAMAGED', 'The video is damaged: its pictures are not of one kind.');
        const view = wrapAvFrame(frame, index++, toMicroseconds(tick * secondsPerTick));
        await onFrame(view, tick);
        view.release();
        if (tick < from) this.#pool.release(frame);
        else await this.#edited.push(frame);
      } catch (error) {
        this.#pool.release(frame);
        throw error;
      }
    }
    this.#edited.end();
  }

  /** @returns the number of pictures encoded */
  async #encode(encoder: VideoEncoder): Promise<number> {
    const { av } = this.#film;
    const { signal, onWritten } = this.#options;
    const write = (packet: Packet): void => this.#write(av, packet);
    let frames = 0;
    try {
      for (;;) {
        const frame = await this.#edited.pull();
        if (frame === null) break;
        try {
          signal?.throwIfAborted();
          frame.pictType = frames === 0 ? av.constants.AV_PICTURE_TYPE_I : av.constants.AV_PICTURE_TYPE_NONE;
          await encoder.encode(frame, write);
          await this.#writer.drain();
          frames += 1;
          onWritten?.(frames);
        } finally {
          this.#pool.release(frame);
        }
      }
      await encoder.encode(null, write);
      return frames;
    } catch (error) {
      this.#edited.fail(error);
      throw error;
    }
  }

  #write(av: NodeAv, packet: Packet): void {
    const origin = BigInt(this.#options.cut.originTick);
    const tick = Number(packet.pts - origin);
    const duration = packet.duration > 0n ? Number(packet.duration) : 0;
    const alpha = packet.getSideData(av.constants.AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL);
    this.#writer.add(
      { tick, duration, isKey: packet.isKeyframe },
      packet.data ?? Buffer.alloc(0),
      alpha ?? Buffer.alloc(0),
    );
  }
}
