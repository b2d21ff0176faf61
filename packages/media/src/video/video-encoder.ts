import type { VideoHardware } from '@guise/contract/video-hardware.ts';
import type { VideoFormat } from '@guise/contract/formats.ts';
import { availableParallelism } from 'node:os';
import type { CodecContext, Frame, Packet } from 'node-av/lib';
import { findHardwareEncoder, openUpload, type Upload } from './hardware-encoder.ts';
import type { NodeAv } from './node-av.ts';

export interface EncoderPlan {
  container: VideoFormat;
  timeBase: { num: number; den: number };
  /**
   * Average rate, which controls the bit rate, the level and the distance of key frames, but no
   * time stamp.
   */
  framesPerSecond: number;
  /**
   * Number of threads; default: as many as the machine has cores, up to a limit. For one number,
   * the same frames give the same packets; H.264 writes the number into the header.
   */
  threads?: number;
  /** Hardware that encodes H.264. Default: x264. VP9 is always encoded by libvpx. */
  hardware?: VideoHardware | undefined;
}

/**
 * Properties of pictures that an encoder needs, and that are equal for all of its pictures. A
 * `Frame` has them.
 */
export interface PictureShape {
  readonly width: number;
  readonly height: number;
  /** FFmpeg's number of the pixel format. */
  readonly format: number;
  readonly sampleAspectRatio: { readonly num: number; readonly den: number };
  /** H.273's and FFmpeg's numbers for the meaning of the samples. */
  readonly colorSpace: number;
  readonly colorRange: number;
  readonly colorPrimaries: number;
  readonly colorTrc: number;
  readonly chromaLocation: number;
}

/**
 * Settings of H.264, visually lossless at about twice the speed of "medium". The texture of a face
 * is kept at CRF 20.
 */
const X264_OPTIONS = { preset: 'veryfast', crf: 20 };

/**
 * Further settings of H.264. Two of them save memory, without visible loss: a short look-ahead 70
 * MB at 1080p (13 MB a picture), and B-pictures that are no references some more.
 *
 * Each thread has a picture of its own. Threads that share a picture (slices) save 15 MB at 720p
 * and 40 at 1080p, but wait for each other: swaps took 12 % longer.
 *
 * Without `cpu-independent`, packets differ from one kind of processor to another, and with AVX-512
 * from one run to the next, so parts of a film that two machines drew would not be alike. It costs
 * no time that can be measured.
 */
const X264_PARAMETERS = 'log-level=error:rc-lookahead=4:sync-lookahead=0:b-pyramid=none:cpu-independent=1';

/** Largest number of threads of H.264. */
const X264_MAX_THREADS = 4;

/** Largest number of threads of VP9. */
const VP9_MAX_THREADS = 8;

/**
 * Settings of VP9. Of libvpx's modes, only realtime is fast enough on two cores. CRF 28 looks like
 * x264's 20.
 */
const VP9_OPTIONS = { deadline: 'realtime', 'cpu-used': 7, 'row-mt': 1, crf: 28, 'lag-in-frames': 0 };

/** Distance of key frames. */
const KEY_FRAME_SECONDS = 5;

export interface VideoEncoder {
  readonly context: CodecContext;
  /**
   * Encodes one frame (null: the end) and passes on finished packets in order. Copies the frame.
   */
  encode(frame: Frame | null, onPacket: (packet: Packet) => void): Promise<void>;
  close(): void;
}

/**
 * Opens an encoder.
 * @param first has the size, format and colour of every later frame
 */
export async function openVideoEncoder(
  av: NodeAv,
  plan: EncoderPlan,
  first: PictureShape,
): Promise<VideoEncoder> {
  const C = av.constants;
  const isWebm = plan.container === 'webm';
  const hardware = plan.hardware && !isWebm ? findHardwareEncoder(av, plan.hardware) : null;
  const codec =
    hardware?.codec ?? av.Codec.findEncoderByName(isWebm ? C.FF_ENCODER_LIBVPX_VP9 : C.FF_ENCODER_LIBX264);
  if (codec === null) throw new Error('The encoder is missing from this FFmpeg build.');
  const context = new av.CodecContext();
  context.allocContext3(codec);
  const rate = Math.max(1, Math.min(240, plan.framesPerSecond));
  // With a time base of 1/fps, as most tools use, every picture of a variable-rate clip would be
  // moved to a grid.
  context.timeBase = new av.Rational(plan.timeBase.num, plan.timeBase.den);
  context.framerate = new av.Rational(Math.round(rate * 1000), 1000);
  context.width = first.width;
  context.height = first.height;
  context.pixelFormat = first.format as CodecContext['pixelFormat'];
  context.sampleAspectRatio = new av.Rational(first.sampleAspectRatio.num, first.sampleAspectRatio.den);
  context.colorSpace = first.colorSpace as CodecContext['colorSpace'];
  context.colorRange = first.colorRange as CodecContext['colorRange'];
  context.colorPrimaries = first.colorPrimaries as CodecContext['colorPrimaries'];
  context.colorTrc = first.colorTrc as CodecContext['colorTrc'];
  context.chromaLocation = first.chromaLocation as CodecContext['chromaLocation'];
  context.gopSize = Math.min(300, Math.max(12, Math.round(rate * KEY_FRAME_SECONDS)));
  context.threadCount =
    plan.threads ?? Math.min(isWebm ? VP9_MAX_THREADS : X264_MAX_THREADS, availableParallelism());
  // Without FRAME_DURATION, the last picture's length and so the clip's would be lost.
  context.setFlags(C.AV_CODEC_FLAG_GLOBAL_HEADER, C.AV_CODEC_FLAG_FRAME_DURATION);
  const alpha = first.format === C.AV_PIX_FMT_YUVA420P;
  const columns = Math.max(0, Math.min(4, Math.floor(Math.log2(first.width / 256))));
  const options = isWebm
    ? { ...VP9_OPTIONS, b: 0, 'tile-columns': columns, ...(alpha ? { 'auto-alt-ref': 0 } : {}) }
    : (hardware?.options ?? { ...X264_OPTIONS, 'x264-params': X264_PARAMETERS });
  if (hardware?.bitsPerPixel !== undefined)
    context.bitRate = BigInt(Math.round(hardware.bitsPerPixel * first.width * first.height * rate));
  let upload: Upload | null = null;
  try {
    upload = hardware?.isOnDevice === true ? openUpload(av, context) : null;
    av.FFmpegError.throwIfError(await context.open2(codec, av.Dictionary.fromObject(options)), 'encoder');
  } catch (error) {
    context.freeContext();
    upload?.close();
    throw error;
  }
  const packet = new av.Packet();
  packet.alloc();
  return {
    context,
    encode: async (frame, onPacket) => {
      const sent = frame && upload ? await upload.send(frame) : frame;
      const result = await context.sendFrame(sent);
      if (sent !== frame) sent?.free();
      av.FFmpegError.throwIfError(result, 'encoder');
      for (;;) {
        // Sending a frame encodes it, and receiving returns finished packets. At the end, receiving
        // encodes.
        const result =
          frame === null ? await context.receivePacket(packet) : context.receivePacketSync(packet);
        if (result === C.AVERROR_EAGAIN || result === C.AVERROR_EOF) return;
        av.FFmpegError.throwIfError(result, 'encoder');
        onPacket(packet);
        packet.unref();
      }
    },
    close: () => {
      packet.free();
      context.freeContext();
      upload?.close();
    },
  };
}
