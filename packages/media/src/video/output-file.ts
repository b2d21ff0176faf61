import type { VideoFormat } from '@guise/contract/formats.ts';
import type { CodecContext, CodecParameters, FormatContext, Packet, Stream } from 'node-av/lib';
import type { NodeAv } from './node-av.ts';

interface TimeBase {
  num: number;
  den: number;
}

/** libavformat's muxer for each container. */
const MUXERS = { mp4: 'mp4', mov: 'mov', webm: 'webm' } as const;

/**
 * Writes a container. Streams are added first, then packets of all streams, which libavformat
 * interleaves.
 */
export class OutputFile {
  readonly #av: NodeAv;
  readonly #format: FormatContext;
  readonly #container: VideoFormat;
  readonly #startMicros: bigint;
  #video: Stream | null = null;
  #opened = false;

  /** @param startMicros time of the input that becomes 0, in microseconds */
  constructor(av: NodeAv, filePath: string, container: VideoFormat, startMicros = 0n) {
    this.#av = av;
    this.#startMicros = startMicros;
    this.#container = container;
    this.#format = new av.FormatContext();
    const made = this.#format.allocOutputContext2(null, MUXERS[container], `file:${filePath}`);
    av.FFmpegError.throwIfError(made, 'output');
    // Waits for every stream, because sound arrives long before its picture. By default,
    // libavformat would give up the order after ten seconds.
    this.#format.maxInterleaveDelta = 0n;
  }

  /** Adds the picture track, which comes first in the file. */
  addVideo(encoder: CodecContext): void {
    this.#video = this.addEncoded(encoder);
  }

  get addedVideo(): Stream {
    if (this.#video === null) throw new Error('The picture track was not added yet.');
    return this.#video;
  }

  addEncoded(encoder: CodecContext): Stream {
    const stream = this.#format.newStream(null);
    this.#av.FFmpegError.throwIfError(stream.codecpar.fromContext(encoder), 'output');
    stream.timeBase = encoder.timeBase;
    stream.sampleAspectRatio = encoder.sampleAspectRatio;
    stream.avgFrameRate = encoder.framerate;
    return stream;
  }

  addCopied(parameters: CodecParameters, timeBase: TimeBase): Stream {
    const stream = this.#format.newStream(null);
    this.#av.FFmpegError.throwIfError(parameters.copy(stream.codecpar), 'output');
    // The tag of another container would be wrong here. With 0 the muxer chooses.
    stream.codecpar.codecTag = 0;
    stream.timeBase = new this.#av.Rational(timeBase.num, timeBase.den);
    return stream;
  }

  /**
   * Writes the header.
   * @param videoTicks ticks per second of the picture track, for containers that offer a choice
   */
  async begin(videoTicks: number | null): Promise<void> {
    this.#av.FFmpegError.throwIfError(await this.#format.openOutput(), 'output');
    this.#opened = true;
    const isMov = this.#container !== 'webm';
    const options: Record<string, string | number> = isMov ? { movflags: '+faststart' } : {};
    if (isMov && videoTicks !== null) options['video_track_timescale'] = videoTicks;
    const result = await this.#format.writeHeader(this.#av.Dictionary.fromObject(options));
    this.#av.FFmpegError.throwIfError(result, 'output');
  }

  /**
   * Takes over the packet's data and leaves the packet empty. Runs on this thread, because it only
   * copies into a buffer and the encoder would have to wait for an answer.
   */
  write(packet: Packet, stream: Stream, from: TimeBase): void {
    packet.streamIndex = stream.index;
    if (this.#startMicros !== 0n) this.#moveToStart(packet, from);
    packet.rescaleTs(from, stream.timeBase);
    packet.pos = -1n;
    this.#av.FFmpegError.throwIfError(this.#format.interleavedWriteFrameSync(packet), 'output');
  }

  #moveToStart(packet: Packet, { num, den }: TimeBase): void {
    const none = this.#av.constants.AV_NOPTS_VALUE;
    // Ticks are longer than microseconds, so rounding returns exactly the original tick.
    const start = BigInt(Math.round((Number(this.#startMicros) * den) / (num * 1e6)));
    if (packet.pts !== none) packet.pts -= start;
    if (packet.dts !== none) packet.dts -= start;
  }

  async finish(): Promise<void> {
    this.#av.FFmpegError.throwIfError(await this.#format.writeTrailer(), 'output');
  }

  /** Frees everything, even after a failure. May be called repeatedly. */
  async close(): Promise<void> {
    if (this.#opened) await this.#format.closeOutput();
    this.#opened = false;
    this.#format.freeContext();
  }
}
