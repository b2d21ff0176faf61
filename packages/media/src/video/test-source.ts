import type { CodecContext, Packet, Stream } from 'node-av/lib';
import type { NodeAv } from './node-av.ts';
import { readContainer } from './container.ts';
import { openVideo } from './demux.ts';
import { readFrames } from './frame-reader.ts';
import { DEFAULT_VIDEO_LIMITS } from './video-types.ts';

/** Options of `makeSource`. */
export interface TestSource {
  readonly muxer: 'matroska' | 'avi' | 'mpegts';
  /** Encoder of the pictures. Default: their packets are copied. */
  readonly encoder?: 'mpeg4' | 'mjpeg' | 'mpeg2video' | 'libx264';
  /** Parameters of libx264. */
  readonly x264Params?: string;
  /** Largest number of B-frames in a row. Default: 0. */
  readonly bFrames?: number;
  /** Time that is added to every time stamp, in seconds. Default: 0. */
  readonly startSeconds?: number;
  /** Options of the muxer. */
  readonly options?: Readonly<Record<string, string | number>>;
}

/**
 * Writes a clip in a container that guise reads but does not write, so that the repository needs no
 * media files. Only for tests.
 */
export async function makeSource(av: NodeAv, from: string, to: string, source: TestSource): Promise<void> {
  const container = await readContainer(from);
  using input = await openVideo(av, from, container, DEFAULT_VIDEO_LIMITS);
  const output = new av.FormatContext();
  av.FFmpegError.throwIfError(output.allocOutputContext2(null, source.muxer, `file:${to}`), 'test source');
  output.maxInterleaveDelta = 0n;
  const encoder = source.encoder === undefined ? null : await openEncoder(av, input.video, source);
  const streams = new Map<number, Stream>();
  for (const stream of [input.video, ...input.audio]) {
    const added = output.newStream(null);
    if (encoder !== null && stream === input.video) added.codecpar.fromContext(encoder);
    else stream.codecpar.copy(added.codecpar);
    added.codecpar.codecTag = 0;
    const rate = stream.avgFrameRate;
    added.timeBase =
      stream === input.video && source.muxer === 'avi'
        ? new av.Rational(rate.den, rate.num)
        : stream === input.video && encoder !== null
          ? encoder.timeBase
          : stream.timeBase;
    if (encoder !== null && stream === input.video) added.avgFrameRate = encoder.framerate;
    streams.set(stream.index, added);
  }
  av.FFmpegError.throwIfError(await output.openOutput(), 'test source');
  const options = av.Dictionary.fromObject({ ...source.options });
  av.FFmpegError.throwIfError(await output.writeHeader(options), 'test source');
  const write = (packet: Packet, index: number, timeBase: { num: number; den: number }): void => {
    const stream = streams.get(index)!;
    // For a packet with a negative time stamp, the AVI muxer would leave out a picture.
    if (source.muxer === 'avi' && packet.pts < 0n) return;
    const shift = BigInt(Math.round(((source.startSeconds ?? 0) * timeBase.den) / timeBase.num));
    packet.streamIndex = stream.index;
    packet.pts += shift;
    packet.dts += shift;
    packet.rescaleTs(timeBase, stream.timeBase);
    av.FFmpegError.throwIfError(output.interleavedWriteFrameSync(packet), 'test source');
  };
  const ticks = new Map(input.audio.map(({ index, timeBase }) => [index, timeBase]));
  if (encoder === null) {
    const packet = new av.Packet();
    packet.alloc();
    for (; input.format.readFrameSync(packet) >= 0; packet.unref()) {
      const { streamIndex } = packet;
      if (streams.has(streamIndex))
        write(packet, streamIndex, ticks.get(streamIndex) ?? input.video.timeBase);
    }
    packet.free();
  } else {
    const { width, height } = input.video.codecpar;
    const plan = {
      size: { width, height, scaled: false },
      format: 'yuv420p' as const,
      limits: DEFAULT_VIDEO_LIMITS,
      signal: undefined,
      onSound: (packet: Packet) =>
        Promise.resolve(write(packet, packet.streamIndex, ticks.get(packet.streamIndex)!)),
    };
    const state = { damaged: 0, firstTick: 0n, lastTick: 0n };
    let index = 0n;
    const made = (packet: Packet): void => write(packet, input.video.index, encoder.timeBase);
    for await (const frame of readFrames(av, input, plan, state)) {
      // The time stamp is the picture's number, because an AVI has a constant frame rate.
      frame.pts = index++;
      frame.duration = 1n;
      frame.pictType = av.constants.AV_PICTURE_TYPE_NONE;
      await encode(av, encoder, frame, made);
      frame.free();
    }
    await encode(av, encoder, null, made);
  }
  av.FFmpegError.throwIfError(await output.writeTrailer(), 'test source');
  await output.closeOutput();
  output.freeContext();
  encoder?.freeContext();
}

async function openEncoder(
  av: NodeAv,
  video: Stream,
  { encoder: name, bFrames = 0, muxer, x264Params }: TestSource,
): Promise<CodecContext> {
  const codec = av.Codec.findEncoderByName(name as never)!;
  const { num, den } = video.avgFrameRate;
  const context = new av.CodecContext();
  context.allocContext3(codec);
  context.width = video.codecpar.width;
  context.height = video.codecpar.height;
  context.pixelFormat = name === 'mjpeg' ? av.constants.AV_PIX_FMT_YUVJ420P : av.constants.AV_PIX_FMT_YUV420P;
  context.timeBase = new av.Rational(den, num);
  context.framerate = new av.Rational(num, den);
  context.gopSize = 10;
  const quality =
    x264Params === undefined
      ? { flags: '+qscale', global_quality: 2 * 118 }
      : { crf: 18, 'x264-params': x264Params, ...(muxer === 'matroska' ? { flags: '+global_header' } : {}) };
  const options = { ...quality, ...(bFrames > 0 ? { bf: bFrames } : {}) };
  av.FFmpegError.throwIfError(await context.open2(codec, av.Dictionary.fromObject(options)), 'test source');
  return context;
}

async function encode(
  av: NodeAv,
  encoder: CodecContext,
  frame: Parameters<CodecContext['sendFrame']>[0],
  made: (packet: Packet) => void,
): Promise<void> {
  av.FFmpegError.throwIfError(await encoder.sendFrame(frame), 'test source');
  const packet = new av.Packet();
  packet.alloc();
  for (; (await encoder.receivePacket(packet)) >= 0; packet.unref()) {
    if (packet.duration <= 0n) packet.duration = 1n;
    made(packet);
  }
  packet.free();
}
