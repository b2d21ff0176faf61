import type { VideoHardware } from '@guise/contract/video-hardware.ts';
import type { Codec, CodecContext, Frame } from 'node-av/lib';
import type { NodeAv } from './node-av.ts';

/** An H.264 encoder in hardware. */
interface HardwareEncoder {
  /** Name in FFmpeg. */
  readonly name: string;
  /** Settings that should look about like those of x264. */
  readonly options: Readonly<Record<string, string | number>>;
  /** Bit rate for an encoder that cannot aim at a quality, bits per pixel. */
  readonly bitsPerPixel?: number;
  /** Whether pictures must be copied to a device first. The other encoders do this themselves. */
  readonly isOnDevice: boolean;
}

/** Encoders of each hardware. */
const HARDWARE_ENCODERS: Readonly<Record<VideoHardware, HardwareEncoder>> = {
  nvenc: { name: 'h264_nvenc', options: { preset: 'p4', rc: 'vbr', cq: 23, b: 0 }, isOnDevice: false },
  vaapi: { name: 'h264_vaapi', options: { rc_mode: 'CQP', qp: 22 }, isOnDevice: true },
  videotoolbox: { name: 'h264_videotoolbox', options: {}, bitsPerPixel: 0.12, isOnDevice: false },
};

/** Finds an encoder. @throws Error if this build of FFmpeg lacks it */
export function findHardwareEncoder(
  av: NodeAv,
  hardware: VideoHardware,
): HardwareEncoder & { readonly codec: Codec } {
  const encoder = HARDWARE_ENCODERS[hardware];
  const codec = av.Codec.findEncoderByName(encoder.name as never);
  if (codec === null) throw new Error(`this build of FFmpeg has no ${encoder.name}.`);
  return { ...encoder, codec };
}

/** Copies pictures to a device. */
export interface Upload {
  /** Returns the copy, which the caller frees. */
  send(frame: Frame): Promise<Frame>;
  close(): void;
}

/**
 * Prepares an encoder for pictures of a VAAPI device. Call it before the encoder is opened.
 * @throws Error if there is no device
 */
export function openUpload(av: NodeAv, context: CodecContext): Upload {
  const C = av.constants;
  const { width, height, pixelFormat } = context;
  const device = new av.HardwareDeviceContext();
  av.FFmpegError.throwIfError(device.create(C.AV_HWDEVICE_TYPE_VAAPI), 'device');
  const pool = new av.HardwareFramesContext();
  pool.alloc(device);
  pool.format = C.AV_PIX_FMT_VAAPI;
  pool.swFormat = C.AV_PIX_FMT_NV12;
  pool.width = width;
  pool.height = height;
  const scaler = new av.SoftwareScaleContext();
  try {
    av.FFmpegError.throwIfError(pool.init(), 'frames of the device');
    scaler.getContext(width, height, pixelFormat, width, height, C.AV_PIX_FMT_NV12);
  } catch (error) {
    pool.free();
    device.free();
    throw error;
  }
  context.pixelFormat = C.AV_PIX_FMT_VAAPI;
  context.hwFramesCtx = pool;
  return {
    async send(frame) {
      const copy = newFrame(av);
      const sent = newFrame(av);
      try {
        av.FFmpegError.throwIfError(scaler.scaleFrameSync(copy, frame), 'frame');
        av.FFmpegError.throwIfError(pool.getBuffer(sent), 'frame of the device');
        av.FFmpegError.throwIfError(await sent.hwframeTransferData(copy), 'copy to the device');
        av.FFmpegError.throwIfError(sent.copyProps(frame), 'frame');
        return sent;
      } catch (error) {
        sent.free();
        throw error;
      } finally {
        copy.free();
      }
    },
    close() {
      scaler.freeContext();
      pool.free();
      device.free();
    },
  };
}

function newFrame(av: NodeAv): Frame {
  const frame = new av.Frame();
  frame.alloc();
  return frame;
}
