import type { VideoHardware } from '@guise/contract/video-hardware.ts';
import type { VideoFormat } from '@guise/contract/formats.ts';
import { createHash } from 'node:crypto';
import type { NodeAv } from '../video/node-av.ts';
import type { OpenVideo } from '../video/demux.ts';
import { openVideoEncoder, type PictureShape, type VideoEncoder } from '../video/video-encoder.ts';

/** Number of the encoder's threads, the same on every machine, because it is in the header. */
const THREADS = 2;

/** Settings that all segments of a film share. */
export interface FilmEncoding {
  readonly container: VideoFormat;
  /** Shape of the film's first picture. */
  readonly shape: PictureShape;
  /** Hardware that encodes H.264. Default: x264. */
  readonly hardware?: VideoHardware | undefined;
}

/** Opens the encoder of a film's segments. */
export function openFilmEncoder(
  av: NodeAv,
  { video }: OpenVideo,
  { container, shape, hardware }: FilmEncoding,
): Promise<VideoEncoder> {
  const rate = video.avgFrameRate.den > 0 ? video.avgFrameRate.num / video.avgFrameRate.den : 0;
  const plan = {
    container,
    timeBase: video.timeBase,
    framesPerSecond: rate > 0 && Number.isFinite(rate) ? rate : 25,
    threads: THREADS,
    hardware,
  };
  return openVideoEncoder(av, plan, shape);
}

/** Returns a hash of the encoder's header, which must be the same for all segments. */
export function nameOfEncoder({ context }: VideoEncoder): string {
  return createHash('sha256')
    .update(context.extraData ?? Buffer.alloc(0))
    .digest('hex');
}
