import type { VideoFormat } from '@guise/contract/formats.ts';
import { type NodeAv } from './node-av.ts';
import { OutputFile } from './output-file.ts';
import { openVideoEncoder } from './video-encoder.ts';

/**
 * A clip made for a test, with moving gradients, which change by one grey level from picture to
 * picture, and optionally a tone.
 */
export interface TestClip {
  container: VideoFormat;
  width: number;
  height: number;
  /**
   * Time stamps in ticks of `timeBase`. A picture lasts until the next one. The last one lasts as
   * long as the one before.
   */
  ticks: readonly number[];
  timeBase: { num: number; den: number };
  pixelFormat?: 'yuv420p' | 'yuva420p' | 'yuv420p10le';
  /** H.273 numbers. */
  colour?: { matrix: number; transfer: number; primaries: number; range: 1 | 2 };
  /** Display matrix: nine 16.16 numbers. */
  displayMatrix?: readonly number[];
  sound?: boolean;
  /** Length of the sound. Default: 0.85 s. */
  soundSeconds?: number;
  /** Time for which the sound is silent at its start. */
  silentSeconds?: number;
}

/** Display matrix of a quarter turn clockwise, as a phone held upright writes it. */
export const QUARTER_TURN = [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1_073_741_824];

/**
 * Makes a clip with the library under test, so that the repository needs no media files. Only for
 * tests.
 */
export async function makeClip(av: NodeAv, filePath: string, clip: TestClip): Promise<void> {
  const C = av.constants;
  const output = new OutputFile(av, filePath, clip.container);
  const first = picture(av, clip, 0);
  const plan = { container: clip.container, timeBase: clip.timeBase, framesPerSecond: 25 };
  const encoder = await openVideoEncoder(av, plan, first);
  first.free();
  output.addVideo(encoder.context);
  const video = output.addedVideo;
  if (clip.displayMatrix !== undefined) {
    const matrix = Buffer.alloc(36);
    clip.displayMatrix.forEach((value, index) => matrix.writeInt32LE(value, index * 4));
    video.codecpar.addCodedSideData(C.AV_PKT_DATA_DISPLAYMATRIX, matrix);
  }
  const tone = clip.sound === true ? await openTone(av, clip.container, clip.silentSeconds) : null;
  const toneStream = tone === null ? null : output.addEncoded(tone.encoder);
  await output.begin(clip.timeBase.num === 1 ? clip.timeBase.den : null);
  for (let index = 0; index < clip.ticks.length; index += 1) {
    const frame = picture(av, clip, index);
    await encoder.encode(frame, (packet) => output.write(packet, video, clip.timeBase));
    frame.free();
  }
  await encoder.encode(null, (packet) => output.write(packet, video, clip.timeBase));
  if (tone !== null && toneStream !== null) {
    const blocks =
      clip.soundSeconds === undefined
        ? 40
        : Math.round((48_000 * clip.soundSeconds) / Math.max(1, tone.encoder.frameSize));
    for (let block = 0; block <= blocks; block += 1) {
      await tone.encode(block < blocks ? block : null, (packet) =>
        output.write(packet, toneStream, tone.encoder.timeBase),
      );
    }
  }
  await output.finish();
  await output.close();
  encoder.close();
}

function picture(av: NodeAv, clip: TestClip, index: number) {
  const frame = new av.Frame();
  frame.alloc();
  frame.width = clip.width;
  frame.height = clip.height;
  frame.format = av.avGetPixFmtFromName(clip.pixelFormat ?? 'yuv420p');
  av.FFmpegError.throwIfError(frame.getBuffer(0), 'test clip');
  const { matrix, transfer, primaries, range } = clip.colour ?? {
    matrix: 1,
    transfer: 1,
    primaries: 1,
    range: 1,
  };
  frame.colorSpace = matrix as typeof frame.colorSpace;
  frame.colorTrc = transfer as typeof frame.colorTrc;
  frame.colorPrimaries = primaries as typeof frame.colorPrimaries;
  frame.colorRange = range as typeof frame.colorRange;
  const deep = clip.pixelFormat === 'yuv420p10le';
  for (const [plane, data] of (frame.data ?? []).entries()) {
    const chroma = plane === 1 || plane === 2;
    const rows = chroma ? (clip.height + 1) >> 1 : clip.height;
    const columns = chroma ? (clip.width + 1) >> 1 : clip.width;
    // Read once, because each access is a native call.
    const lineSize = frame.linesize[plane]!;
    for (let y = 0; y < rows; y += 1) {
      for (let x = 0; x < columns; x += 1) {
        const value =
          plane === 3 ? (x < columns / 2 ? 255 : 0) : chroma ? 112 + (x & 31) : 60 + ((x + y) >> 1) + index;
        const at = y * lineSize + x * (deep ? 2 : 1);
        if (deep) data.writeUInt16LE(Math.min(900, value * 4), at);
        else data[at] = Math.min(235, value);
      }
    }
  }
  const tick = clip.ticks[index] ?? 0;
  const next = clip.ticks[index + 1] ?? tick + (tick - (clip.ticks[index - 1] ?? tick - 1));
  frame.pts = BigInt(tick);
  frame.duration = BigInt(next - tick);
  return frame;
}

async function openTone(av: NodeAv, container: string, silentSeconds = 0) {
  const C = av.constants;
  const isWebm = container === 'webm';
  const codec = av.Codec.findEncoderByName(isWebm ? C.FF_ENCODER_LIBOPUS : C.FF_ENCODER_AAC)!;
  const encoder = new av.CodecContext();
  encoder.allocContext3(codec);
  encoder.sampleRate = 48_000;
  encoder.sampleFormat = isWebm ? C.AV_SAMPLE_FMT_FLT : C.AV_SAMPLE_FMT_FLTP;
  encoder.channelLayout = av.avChannelLayoutDefault(1);
  encoder.timeBase = new av.Rational(1, 48_000);
  encoder.setFlags(C.AV_CODEC_FLAG_GLOBAL_HEADER);
  av.FFmpegError.throwIfError(await encoder.open2(codec), 'test tone');
  const packet = new av.Packet();
  packet.alloc();
  return {
    encoder,
    encode: async (block: number | null, write: (packet: InstanceType<NodeAv['Packet']>) => void) => {
      const frame = block === null ? null : toneFrame(av, encoder, block, silentSeconds);
      av.FFmpegError.throwIfError(await encoder.sendFrame(frame), 'test tone');
      frame?.free();
      while ((await encoder.receivePacket(packet)) >= 0) {
        write(packet);
        packet.unref();
      }
    },
  };
}

function toneFrame(
  av: NodeAv,
  encoder: InstanceType<NodeAv['CodecContext']>,
  block: number,
  silentSeconds: number,
) {
  const frame = new av.Frame();
  frame.alloc();
  frame.format = encoder.sampleFormat;
  frame.nbSamples = encoder.frameSize;
  frame.sampleRate = encoder.sampleRate;
  frame.channelLayout = encoder.channelLayout;
  av.FFmpegError.throwIfError(frame.getBuffer(0), 'test tone');
  const samples = frame.data![0]!;
  for (let i = 0; i < encoder.frameSize; i += 1) {
    const at = i + block * encoder.frameSize;
    samples.writeFloatLE(at < 48_000 * silentSeconds ? 0 : 0.3 * Math.sin(at / 17), i * 4);
  }
  frame.pts = BigInt(block * encoder.frameSize);
  return frame;
}

/** Lists every packet of a file for comparison: kind of track, time in seconds, and bytes. */
export function readPackets(av: NodeAv, filePath: string) {
  const C = av.constants;
  const format = new av.FormatContext();
  av.FFmpegError.throwIfError(format.openInputSync(`file:${filePath}`), 'test');
  av.FFmpegError.throwIfError(format.findStreamInfoSync(null), 'test');
  const packet = new av.Packet();
  packet.alloc();
  const video: { seconds: number; end: number }[] = [];
  const sound: { seconds: number; hex: string }[] = [];
  const { streams } = format;
  while (format.readFrameSync(packet) >= 0) {
    const stream = streams[packet.streamIndex]!;
    const tick = stream.timeBase.num / stream.timeBase.den;
    const seconds = Number(packet.pts) * tick;
    if (stream.codecpar.codecType === C.AVMEDIA_TYPE_VIDEO) {
      video.push({ seconds, end: seconds + Number(packet.duration) * tick });
    } else {
      sound.push({ seconds, hex: packet.data!.toString('hex') });
    }
    packet.unref();
  }
  packet.free();
  const track = streams.find((stream) => stream.codecpar.codecType === C.AVMEDIA_TYPE_VIDEO)!;
  const { width, height, colorSpace, colorTrc, colorRange } = track.codecpar;
  const described = {
    codec: av.avGetCodecName(track.codecpar.codecId),
    pixelFormat: av.avGetPixFmtName(track.codecpar.format as never),
    alphaMode: track.metadata?.get('alpha_mode') ?? null,
    width,
    height,
    colorSpace: Number(colorSpace),
    colorTrc: Number(colorTrc),
    colorRange: Number(colorRange),
  };
  format.closeInputSync();
  video.sort((a, b) => a.seconds - b.seconds);
  return { video, sound, track: described };
}

/**
 * Returns the time in seconds at which the sound of a file stops being silent; null if it stays
 * silent.
 */
export async function soundOnset(av: NodeAv, filePath: string): Promise<number | null> {
  const C = av.constants;
  const format = new av.FormatContext();
  av.FFmpegError.throwIfError(format.openInputSync(`file:${filePath}`), 'test');
  av.FFmpegError.throwIfError(format.findStreamInfoSync(null), 'test');
  const stream = format.streams.find(({ codecpar }) => codecpar.codecType === C.AVMEDIA_TYPE_AUDIO)!;
  const codec = av.Codec.findDecoder(stream.codecpar.codecId)!;
  const decoder = new av.CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  decoder.pktTimebase = stream.timeBase;
  av.FFmpegError.throwIfError(await decoder.open2(codec), 'test');
  const packet = new av.Packet();
  packet.alloc();
  const frame = new av.Frame();
  frame.alloc();
  let onset: number | null = null;
  while (onset === null && format.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === stream.index) {
      await decoder.sendPacket(packet);
      while (onset === null && (await decoder.receiveFrame(frame)) >= 0) {
        const samples = frame.data![0]!;
        for (let i = 0; i < frame.nbSamples && onset === null; i += 1) {
          if (Math.abs(samples.readFloatLE(4 * i)) < 0.1) continue;
          const start = (Number(frame.pts) * stream.timeBase.num) / stream.timeBase.den;
          onset = start + i / frame.sampleRate;
        }
        frame.unref();
      }
    }
    packet.unref();
  }
  frame.free();
  packet.free();
  decoder.freeContext();
  format.closeInputSync();
  return onset;
}
