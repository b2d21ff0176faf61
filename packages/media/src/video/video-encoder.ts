import { availableParallelism } from 'node:os';
import type { CodecContext, Frame, Packet } from 'node-av/lib';
import type { NodeAv } from './backend.ts';

export interface EncoderPlan {
  container: 'mp4' | 'mov' | 'webm';
  timeBase: { num: number; den: number };
  /** Average; steers rate control, the level and the distance of key frames, never a timestamp. */
  framesPerSecond: number;
}

/** H.264: visually clean at ~2x the speed of "medium"; a face's texture survives at CRF 20. */
const X264 = { preset: 'veryfast', crf: 20 };
/**
 * Each picture it looks ahead is 13 MB at 1080p; half the preset's ten cost no quality that shows
 * and save 70 MB. Threads that share one picture instead of having one each, and no B picture that
 * others refer to, save 15 MB more at 720p and 40 at 1080p: as fast, the PSNR the same or 0.3 dB
 * higher, files 2 to 9 % larger.
 */
const X264_MEMORY = 'rc-lookahead=4:sync-lookahead=0:b-pyramid=none:sliced-threads=1';
/** Slices of one picture: each costs about 1 % of the file. */
const X264_MOST_THREADS = 4;
const VP9_MOST_THREADS = 8;
/**
 * VP9's realtime mode is the only one of libvpx that keeps up on two cores; CRF 28 there looks like
 * x264's 20.
 */
const VP9 = { deadline: 'realtime', 'cpu-used': 7, 'row-mt': 1, crf: 28, 'lag-in-frames': 0 };
const KEY_FRAME_SECONDS = 5;

export interface VideoEncoder {
  readonly context: CodecContext;
  /**
   * Encodes one frame (null: the end) and hands out what is ready, in order. The frame is copied,
   * not kept.
   */
  encode(frame: Frame | null, onPacket: (packet: Packet) => void): Promise<void>;
  close(): void;
}

/** @param first tells size, format and colour; every later frame must be the same */
export async function openVideoEncoder(av: NodeAv, plan: EncoderPlan, first: Frame): Promise<VideoEncoder> {
  const C = av.constants;
  const isWebm = plan.container === 'webm';
  const codec = av.Codec.findEncoderByName(isWebm ? C.FF_ENCODER_LIBVPX_VP9 : C.FF_ENCODER_LIBX264);
  if (codec === null) throw new Error('The encoder is missing from this FFmpeg build.');
  const context = new av.CodecContext();
  context.allocContext3(codec);
  const rate = Math.max(1, Math.min(240, plan.framesPerSecond));
  // 1/fps as time base, as most tools do, would move every picture of a variable-rate clip onto a
  // grid.
  context.timeBase = new av.Rational(plan.timeBase.num, plan.timeBase.den);
  context.framerate = new av.Rational(Math.round(rate * 1000), 1000);
  context.width = first.width;
  context.height = first.height;
  context.pixelFormat = first.format as CodecContext['pixelFormat'];
  context.sampleAspectRatio = first.sampleAspectRatio;
  context.colorSpace = first.colorSpace;
  context.colorRange = first.colorRange;
  context.colorPrimaries = first.colorPrimaries;
  context.colorTrc = first.colorTrc;
  context.chromaLocation = first.chromaLocation;
  context.gopSize = Math.min(300, Math.max(12, Math.round(rate * KEY_FRAME_SECONDS)));
  context.threadCount = Math.min(isWebm ? VP9_MOST_THREADS : X264_MOST_THREADS, availableParallelism());
  // Without FRAME_DURATION the last picture's length would be lost, and with it the clip's.
  context.setFlags(C.AV_CODEC_FLAG_GLOBAL_HEADER, C.AV_CODEC_FLAG_FRAME_DURATION);
  const alpha = first.format === C.AV_PIX_FMT_YUVA420P;
  const columns = Math.max(0, Math.min(4, Math.floor(Math.log2(first.width / 256))));
  const options = isWebm
    ? { ...VP9, b: 0, 'tile-columns': columns, ...(alpha ? { 'auto-alt-ref': 0 } : {}) }
    : { ...X264, 'x264-params': `log-level=error:${X264_MEMORY}` };
  const opened = await context.open2(codec, av.Dictionary.fromObject(options));
  av.FFmpegError.throwIfError(opened, 'encoder');
  const packet = new av.Packet();
  packet.alloc();
  return {
    context,
    encode: async (frame, onPacket) => {
      av.FFmpegError.throwIfError(await context.sendFrame(frame), 'encoder');
      for (;;) {
        // Sending encodes; what is ready then is only handed out. At the end receiving encodes.
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
    },
  };
}
