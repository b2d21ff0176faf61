import { canWrite, type ClipFormat } from '@guise/contract/formats.ts';
import type { Dictionary, FormatContext, Stream } from 'node-av/lib';
import { MediaError } from '../media-error.ts';
import type { NodeAv } from './node-av.ts';
import { checkSides } from './measure.ts';
import { orientationOf, type Orientation } from './rotation.ts';
import { type VideoLimits } from './video-types.ts';

/**
 * The only demuxer with which each container is opened. libavformat never guesses, so it opens no
 * playlist.
 */
const DEMUXERS: Readonly<Record<ClipFormat, string>> = {
  mp4: 'mov',
  mov: 'mov',
  webm: 'matroska',
  gif: 'gif',
  mkv: 'matroska',
  avi: 'avi',
  ts: 'mpegts',
};

/** Demuxers that libavformat may use if one of them opens another. */
const FORMAT_WHITELIST = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,gif,avi,mpegts';

/** Video codecs that are decoded, by FFmpeg's name. */
const VIDEO_CODECS: ReadonlySet<string> = new Set([
  'h264',
  'hevc',
  'vp8',
  'vp9',
  'av1',
  'mpeg4',
  'mpeg2video',
  'mjpeg',
  'prores',
  'gif',
]);

/** Largest number of tracks that libavformat opens. */
const MAX_TRACKS = 32;

/** H.273 number of the transfer curve HLG (ARIB STD-B67). */
const HLG_TRANSFER = 18;

/** H.273 number of the transfer curve PQ (SMPTE ST 2084). */
const PQ_TRANSFER = 16;

/** An opened file and the properties of its picture track. It closes when it is disposed of. */
export interface OpenVideo extends Disposable {
  format: FormatContext;
  container: ClipFormat;
  video: Stream;
  /** Sound tracks, at most eight. */
  audio: Stream[];
  codec: string;
  orientation: Orientation;
  hdr: 'pq' | 'hlg' | null;
  alpha: boolean;
  bitDepth: number;
  /**
   * Length of the picture track according to the header, in its ticks; 0 if the header has none.
   */
  claimedTicks: bigint;
  /**
   * Time at which the file begins, in microseconds, for containers whose clock may begin anywhere;
   * 0 for containers that are also written, because their time stamps are kept.
   */
  startMicros: bigint;
}

/**
 * Opens a file whose container `sniffContainer` found. Call it in a child process, because it runs
 * native code on untrusted bytes.
 * @throws MediaError UNREADABLE, NO_VIDEO, UNSUPPORTED, TOO_MANY_PIXELS
 */
export async function openVideo(
  av: NodeAv,
  filePath: string,
  container: ClipFormat,
  limits: VideoLimits,
): Promise<OpenVideo> {
  const format = new av.FormatContext();
  const options = av.Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: FORMAT_WHITELIST,
    max_streams: MAX_TRACKS,
  });
  // With the prefix "file:", a name such as "concat:a|b" does not count as a protocol.
  const opened = format.openInputSync(
    `file:${filePath}`,
    av.InputFormat.findInputFormat(DEMUXERS[container]),
    options,
  );
  if (opened < 0) throw cannotRead(av, opened);
  try {
    return await describe(av, format, container, limits);
  } catch (error) {
    format.closeInputSync();
    throw error;
  }
}

async function describe(
  av: NodeAv,
  format: FormatContext,
  container: ClipFormat,
  limits: VideoLimits,
): Promise<OpenVideo> {
  const C = av.constants;
  // Checks the sizes in the header before a decoder is opened for them.
  for (const stream of format.streams)
    checkSides(stream.codecpar.width, stream.codecpar.height, limits, 'video');
  // Passes no options, because node-av 6.1.1 passes one dictionary to a function that reads one for
  // each track.
  const found = await format.findStreamInfo(null);
  if (found < 0) throw cannotRead(av, found);
  const streams = format.streams;
  const video = streams.find(
    (stream) =>
      stream.codecpar.codecType === C.AVMEDIA_TYPE_VIDEO &&
      (stream.disposition & C.AV_DISPOSITION_ATTACHED_PIC) === 0,
  );
  if (video === undefined) throw new MediaError('NO_VIDEO', 'The file has no video track.');
  const parameters = video.codecpar;
  const codec = av.avGetCodecName(parameters.codecId) ?? 'unknown';
  if (!VIDEO_CODECS.has(codec)) {
    throw new MediaError('UNSUPPORTED', `The video codec ${codec} is not supported.`);
  }
  if (!(parameters.width > 0 && parameters.height > 0)) {
    throw new MediaError('UNREADABLE', 'The video cannot be read: its size is missing.');
  }
  checkSides(parameters.width, parameters.height, limits, 'video');
  if (container === 'avi') timeAviPictures(av, format, video, codec);
  const pixelFormat = av.avGetPixFmtName(parameters.format as never) ?? '';
  const transfer: number = parameters.colorTrc;
  const open: OpenVideo = {
    format,
    container,
    video,
    audio: soundOf(av, format, streams, video).slice(0, 8),
    codec,
    orientation: orientationOf(parameters.getCodedSideData(C.AV_PKT_DATA_DISPLAYMATRIX)),
    hdr: transfer === PQ_TRANSFER ? 'pq' : transfer === HLG_TRANSFER ? 'hlg' : null,
    alpha: video.metadata?.get('alpha_mode') === '1' || /^(yuva|gbrap|rgba|bgra|pal8)/.test(pixelFormat),
    bitDepth: Number(/(9|10|12|14|16)(?:le|be)?$/.exec(pixelFormat)?.[1] ?? 8),
    // A transport stream has no header, so its length would be an estimate.
    claimedTicks: container === 'ts' || video.duration < 0n ? 0n : video.duration,
    startMicros: canWrite(container) || format.startTime === C.AV_NOPTS_VALUE ? 0n : format.startTime,
    [Symbol.dispose]: () => format.closeInputSync(),
  };
  for (const stream of streams) {
    if (stream !== video && !open.audio.includes(stream)) stream.discard = C.AVDISCARD_ALL;
  }
  return open;
}

/** Codecs whose parser finds the pictures that are shown later than they are decoded. */
const PARSED_CODECS: ReadonlySet<string> = new Set(['mpeg4', 'mpeg2video']);

/**
 * Lets libavformat compute time stamps for the pictures of an AVI, which stores pictures in
 * decoding order without time stamps.
 * @throws MediaError UNSUPPORTED if nothing tells when they are shown
 */
function timeAviPictures(av: NodeAv, format: FormatContext, video: Stream, codec: string): void {
  if (video.codecpar.videoDelay === 0) return;
  if (!PARSED_CODECS.has(codec))
    throw new MediaError(
      'UNSUPPORTED',
      `The video codec ${codec} with B-frames is not supported in an AVI, which gives pictures no time.`,
    );
  format.setFlags(av.constants.AVFMT_FLAG_GENPTS);
}

/**
 * Returns the sound tracks. Of several programs of a transport stream, only the track of the
 * pictures' program is returned.
 */
function soundOf(av: NodeAv, format: FormatContext, streams: Stream[], video: Stream): Stream[] {
  const C = av.constants;
  const all = streams.filter((stream) => stream.codecpar.codecType === C.AVMEDIA_TYPE_AUDIO);
  if (format.nbPrograms < 2) return all;
  const best = format.findBestStream(C.AVMEDIA_TYPE_AUDIO, -1, video.index);
  // A program without sound would otherwise get the sound of another program.
  const isOurs = best >= 0 && format.findBestStream(C.AVMEDIA_TYPE_VIDEO, -1, best) === video.index;
  return isOurs ? all.filter(({ index }) => index === best) : [];
}

/**
 * Makes the options of every decoder. A size change inside the stream beyond the limit becomes an
 * error instead of an allocation.
 */
export function decoderOptions(av: NodeAv, limits: VideoLimits): Dictionary {
  return av.Dictionary.fromObject({ max_pixels: limits.maxPixels });
}

function cannotRead(av: NodeAv, code: number): MediaError {
  return new MediaError('UNREADABLE', 'The video cannot be read: its header is damaged.', {
    cause: new Error(av.FFmpegError.strerror(code)),
  });
}
