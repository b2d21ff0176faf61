import type { VideoFormat } from '@guise/contract/formats.ts';
import type { CodecContext, FilterContext, FilterGraph, Packet, Stream } from 'node-av/lib';
import type { NodeAv } from './node-av.ts';
import type { PartRange } from './clip-part.ts';
import type { OutputFile } from './output-file.ts';

/** Codecs whose packets are copied, by container (docs/spec/details#output-type). */
const COPIED_CODECS = { mp4: ['aac'], mov: ['aac'], webm: ['opus', 'vorbis'] } as const;

/** Bit rate of encoded sound, in bits a second for each channel. */
const BITS_PER_SECOND_PER_CHANNEL = 80_000;

/** Sample rates that Opus can encode. */
const OPUS_RATES = new Set([8000, 12000, 16000, 24000, 48000]);

/**
 * Time before a part from which sound is decoded, so that the decoder is in a stable state at the
 * part.
 */
const DECODER_LEAD_SECONDS = 0.3;

/** The sound of a part of a clip, in seconds of the file. */
export interface SoundPart {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Time by which all sound is written earlier. */
  readonly shiftSeconds: number;
}

export interface SoundTrack {
  readonly copied: boolean;
  /** Writes one packet of the input's track, and may take over its data. */
  write(packet: Packet): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

/**
 * Prepares to copy or encode one sound track into the output.
 * @param part the part of the track to write; default: all
 * @returns null if the track's codec cannot be decoded; the output then lacks the track
 */
export async function openSound(
  av: NodeAv,
  input: Stream,
  container: VideoFormat,
  output: OutputFile,
  part?: SoundPart,
): Promise<SoundTrack | null> {
  const codec = av.avGetCodecName(input.codecpar.codecId) ?? '';
  if ((COPIED_CODECS[container] as readonly string[]).includes(codec)) {
    const stream = output.addCopied(input.codecpar, input.timeBase);
    let last = av.constants.AV_NOPTS_VALUE;
    return {
      copied: true,
      write: async (packet) => {
        // Muxers refuse packets that go back in time. Only damage causes such packets.
        if (packet.dts === av.constants.AV_NOPTS_VALUE || packet.dts <= last) return;
        last = packet.dts;
        if (part !== undefined && !moveIntoPart(av, packet, input, part)) return;
        output.write(packet, stream, input.timeBase);
      },
      finish: async () => {},
      close: () => {},
    };
  }
  const decoderCodec = av.Codec.findDecoder(input.codecpar.codecId);
  if (decoderCodec === null) return null;
  const decoder = new av.CodecContext();
  decoder.allocContext3(decoderCodec);
  decoder.parametersToContext(input.codecpar);
  decoder.pktTimebase = input.timeBase;
  if ((await decoder.open2(decoderCodec)) < 0 || decoder.sampleRate <= 0 || decoder.channels <= 0) {
    decoder.freeContext();
    return null;
  }
  return encodedSound(av, input, decoder, container, output, part);
}

async function encodedSound(
  av: NodeAv,
  input: Stream,
  decoder: CodecContext,
  container: VideoFormat,
  output: OutputFile,
  part: SoundPart | undefined,
): Promise<SoundTrack> {
  const C = av.constants;
  const isWebm = container === 'webm';
  const encoderCodec = av.Codec.findEncoderByName(isWebm ? C.FF_ENCODER_LIBOPUS : C.FF_ENCODER_AAC);
  if (encoderCodec === null) throw new Error('The sound encoder is missing from this FFmpeg build.');
  const channels = Math.min(2, decoder.channels);
  const sourceRate = decoder.sampleRate;
  const rate = isWebm ? (OPUS_RATES.has(sourceRate) ? sourceRate : 48_000) : aacRate(sourceRate);
  const encoder = new av.CodecContext();
  encoder.allocContext3(encoderCodec);
  encoder.sampleRate = rate;
  encoder.sampleFormat = isWebm ? C.AV_SAMPLE_FMT_FLT : C.AV_SAMPLE_FMT_FLTP;
  encoder.channelLayout = av.avChannelLayoutDefault(channels);
  encoder.bitRate = BigInt(BITS_PER_SECOND_PER_CHANNEL * channels);
  encoder.timeBase = new av.Rational(1, rate);
  encoder.setFlags(C.AV_CODEC_FLAG_GLOBAL_HEADER);
  av.FFmpegError.throwIfError(await encoder.open2(encoderCodec), 'sound encoder');
  const stream = output.addEncoded(encoder);
  const format = av.avGetSampleFmtName(encoder.sampleFormat);
  const layout = channels === 1 ? 'mono' : 'stereo';
  const chain = `${trimming(part)}aresample=async=1000,aformat=sample_fmts=${format}:sample_rates=${rate}:channel_layouts=${layout},asetnsamples=n=${encoder.frameSize}:p=0`;
  let graph: SoundGraph | null = null;
  const frame = new av.Frame();
  frame.alloc();
  const resampled = new av.Frame();
  resampled.alloc();
  const packet = new av.Packet();
  packet.alloc();

  const encode = async (end: boolean) => {
    av.FFmpegError.throwIfError(await encoder.sendFrame(end ? null : resampled), 'sound encoder');
    while ((await encoder.receivePacket(packet)) >= 0) {
      output.write(packet, stream, encoder.timeBase);
      packet.unref();
    }
  };
  const drainGraph = async ({ sink }: SoundGraph) => {
    while ((await sink.buffersinkGetFrame(resampled)) >= 0) {
      await encode(false);
      resampled.unref();
    }
  };
  const drainDecoder = async () => {
    while ((await decoder.receiveFrame(frame)) >= 0) {
      graph ??= buildSoundGraph(av, chain, {
        format: frame.format,
        rate: frame.sampleRate,
        layout: av.avChannelLayoutDescribe(frame.channelLayout) ?? 'stereo',
        timeBase: input.timeBase,
      });
      // A frame with other properties than the first (damage, a splice) is dropped. aresample fills
      // the gap with silence.
      if ((await graph.source.buffersrcAddFrame(frame)) >= 0) await drainGraph(graph);
      frame.unref();
    }
  };
  return {
    copied: false,
    write: async (incoming) => {
      if (part !== undefined && isBeside(av, incoming, input, part)) return;
      // A packet that the decoder refuses makes a gap in the sound, but does not end the clip.
      if ((await decoder.sendPacket(incoming)) >= 0) await drainDecoder();
    },
    finish: async () => {
      if ((await decoder.sendPacket(null)) >= 0) await drainDecoder();
      if (graph !== null) {
        await graph.source.buffersrcAddFrame(null);
        await drainGraph(graph);
      }
      await encode(true);
    },
    close: () => {
      frame.free();
      resampled.free();
      packet.free();
      graph?.graph.free();
      decoder.freeContext();
      encoder.freeContext();
    },
  };
}

/**
 * Returns the sound that belongs to a part of the pictures.
 * @param timeBase of the picture track
 */
export function soundPartOf(
  { fromTick, toTick, originTick }: Pick<PartRange, 'fromTick' | 'toTick' | 'originTick'>,
  { num, den }: { num: number; den: number },
): SoundPart {
  const seconds = (ticks: bigint): number => (Number(ticks) * num) / den;
  return {
    fromSeconds: seconds(fromTick),
    toSeconds: seconds(toTick),
    shiftSeconds: seconds(fromTick - originTick),
  };
}

/** Sets the time of a packet in the output. @returns false if it begins outside of the part */
function moveIntoPart(av: NodeAv, packet: Packet, { timeBase }: Stream, part: SoundPart): boolean {
  const tick = timeBase.num / timeBase.den;
  const stamp = packet.pts === av.constants.AV_NOPTS_VALUE ? packet.dts : packet.pts;
  const seconds = Number(stamp) * tick;
  if (seconds < part.fromSeconds || seconds >= part.toSeconds) return false;
  const shift = BigInt(Math.round(part.shiftSeconds / tick));
  if (packet.pts !== av.constants.AV_NOPTS_VALUE) packet.pts -= shift;
  packet.dts -= shift;
  return true;
}

/** Returns whether a packet is so far from the part that decoding it is unnecessary. */
export function isBeside(av: NodeAv, packet: Packet, { timeBase }: Stream, part: SoundPart): boolean {
  const stamp = packet.pts === av.constants.AV_NOPTS_VALUE ? packet.dts : packet.pts;
  if (stamp === av.constants.AV_NOPTS_VALUE) return false;
  const seconds = (Number(stamp) * timeBase.num) / timeBase.den;
  return seconds < part.fromSeconds - DECODER_LEAD_SECONDS || seconds >= part.toSeconds;
}

/** Returns the filters that cut decoded sound exactly to the sample. */
function trimming(part: SoundPart | undefined): string {
  if (part === undefined) return '';
  const { fromSeconds, toSeconds, shiftSeconds } = part;
  const [from, to, shift] = [fromSeconds, toSeconds, shiftSeconds].map((seconds) => seconds.toFixed(6));
  return `atrim=start=${from}:end=${to},asetpts=PTS-${shift}/TB,`;
}

/** Sample rates that are kept for AAC. */
const AAC_RATES = new Set([8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]);

function aacRate(rate: number): number {
  return AAC_RATES.has(rate) ? rate : 48_000;
}

interface SoundGraph {
  graph: FilterGraph;
  source: FilterContext;
  sink: FilterContext;
}

function buildSoundGraph(
  av: NodeAv,
  chain: string,
  input: { format: number; rate: number; layout: string; timeBase: { num: number; den: number } },
): SoundGraph {
  const graph = new av.FilterGraph();
  graph.alloc();
  const sourceFilter = av.Filter.getByName('abuffer');
  const sinkFilter = av.Filter.getByName('abuffersink');
  if (sourceFilter === null || sinkFilter === null) throw new Error('The sound filters are missing.');
  const { timeBase } = input;
  const source = graph.createFilter(
    sourceFilter,
    'in',
    `time_base=${timeBase.num}/${timeBase.den}:sample_rate=${input.rate}:sample_fmt=${input.format}:channel_layout=${input.layout}`,
  );
  const sink = graph.createFilter(sinkFilter, 'out', null);
  if (source === null || sink === null) throw new Error('The sound filters could not be set up.');
  const outputs = av.FilterInOut.createList([{ name: 'in', filterCtx: source, padIdx: 0 }]);
  const inputs = av.FilterInOut.createList([{ name: 'out', filterCtx: sink, padIdx: 0 }]);
  av.FFmpegError.throwIfError(graph.parsePtr(chain, inputs, outputs), 'sound filter');
  av.FFmpegError.throwIfError(graph.configSync(), 'sound filter');
  return { graph, source, sink };
}
