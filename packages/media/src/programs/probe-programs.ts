import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MediaError } from '../media-error.ts';
import { videoBackend } from '../video/backend.ts';
import { childEnvironment } from '../isolation/child-environment.ts';
import { canTimeAvi, DEMUXERS, FORMAT_WHITELIST, untimed, VIDEO_CODECS } from '../video/demux.ts';
import { checkClock } from '../video/packet-watch.ts';
import {
  checkSides,
  framesPerSecond,
  frameBudget,
  LENGTH_SLACK_SECONDS,
  missingBackend,
  toMicroseconds,
  tooLong,
  tooManyFrames,
} from '../video/measure.ts';
import {
  CONTENT_TYPES,
  isWritten,
  type SourceContainer,
  type VideoLimits,
  type VideoProbe,
} from '../video/video-types.ts';

const run = promisify(execFile);

/** Longest that one run of `ffprobe` may take. */
const PROBE_TIMEOUT_MS = 20_000;

/**
 * Largest answer of `ffprobe`: a line of about 40 bytes for each packet of the longest accepted
 * clip.
 */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The parts of `ffprobe`'s answer about one track that are used. */
export interface ProbedStream {
  index: number;
  codec_type: string;
  codec_name?: string;
  width?: number;
  height?: number;
  pix_fmt?: string;
  time_base?: string;
  avg_frame_rate?: string;
  duration?: string;
  color_space?: string;
  color_range?: string;
  color_transfer?: string;
  color_primaries?: string;
  field_order?: string;
  has_b_frames?: number;
  disposition?: { attached_pic?: number };
  tags?: Record<string, string>;
  side_data_list?: { rotation?: number }[];
}

/**
 * Makes the arguments before the input of every `ffmpeg` and `ffprobe`: one demuxer by name and one
 * local file, so that nothing else is opened.
 */
export function inputArguments(filePath: string, container: SourceContainer): string[] {
  return [
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    FORMAT_WHITELIST,
    '-f',
    DEMUXERS[container],
    '-i',
    `file:${filePath}`,
  ];
}

/**
 * Lists the tracks of a file by `ffprobe`.
 * @throws MediaError UNREADABLE, NO_VIDEO, UNSUPPORTED, TOO_MANY_PIXELS; an Error without the
 * programs
 */
export async function probeStreams(
  filePath: string,
  container: SourceContainer,
  limits: VideoLimits,
): Promise<ProbedFile> {
  if (videoBackend() === null) throw missingBackend();
  const answer = await probe([
    '-show_streams',
    '-show_format',
    '-show_programs',
    '-of',
    'json',
    ...inputArguments(filePath, container),
  ]);
  const { streams = [], programs = [], format } = JSON.parse(answer) as ProbeAnswer;
  const video = streams.find((s) => s.codec_type === 'video' && s.disposition?.attached_pic !== 1);
  if (video === undefined) throw new MediaError('NO_VIDEO', 'The file has no video track.');
  if (!VIDEO_CODECS.has(video.codec_name ?? '')) {
    throw new MediaError('UNSUPPORTED', `The video codec ${video.codec_name ?? 'unknown'} is not supported.`);
  }
  if (!video.width || !video.height) {
    throw new MediaError('UNREADABLE', 'The video cannot be read: its size is missing.');
  }
  checkSides(video.width, video.height, limits, 'video');
  if (container === 'avi' && !canTimeAvi(video.codec_name ?? '', video.has_b_frames ?? 0))
    throw untimed(video.codec_name ?? 'unknown');
  // Of several programs of a transport stream, the sound of the pictures.
  const program = programs.find((each) => each.streams?.some(({ index }) => index === video.index));
  const isOurs = ({ index }: ProbedStream): boolean =>
    program?.streams?.some((stream) => stream.index === index) ?? true;
  const audio = streams.filter((s) => s.codec_type === 'audio' && isOurs(s)).slice(0, 8);
  const startSeconds = isWritten(container) ? 0 : Number(format?.start_time ?? 0) || 0;
  return { video, audio, startSeconds };
}

/** What `ffprobe` says of a file. */
interface ProbeAnswer {
  readonly streams?: ProbedStream[];
  readonly programs?: readonly { readonly streams?: readonly { readonly index: number }[] }[];
  readonly format?: { readonly start_time?: string };
}

/** The tracks of a file that are used. */
export interface ProbedFile {
  readonly video: ProbedStream;
  /** Sound tracks, at most eight. */
  readonly audio: ProbedStream[];
  /** See `OpenVideo.startMicros`. */
  readonly startSeconds: number;
}

/**
 * Describes a clip by `ffprobe`, with the same answers as `probeVideo`. Needs no child of its own,
 * because the programs are processes themselves.
 */
export async function probeWithPrograms(
  filePath: string,
  container: SourceContainer,
  limits: VideoLimits,
): Promise<VideoProbe> {
  const { video, audio } = await probeStreams(filePath, container, limits);
  const time = await measure(filePath, container, video, limits);
  const rotation = clockwiseDegrees(video);
  const sideways = rotation === 90 || rotation === 270;
  const claimed = container === 'ts' ? 0 : Number(video.duration ?? 0);
  return {
    container,
    contentType: CONTENT_TYPES[container],
    videoCodec: video.codec_name ?? '',
    width: sideways ? video.height! : video.width!,
    height: sideways ? video.width! : video.height!,
    durationSeconds: time.seconds,
    frameCount: time.frames,
    framesPerSecond: framesPerSecond(time.frames, time.seconds, limits),
    audioCodec: audio[0]?.codec_name ?? null,
    hdr: hdrOf(video),
    alpha: video.tags?.['alpha_mode'] === '1' || /^(yuva|gbrap|rgba)/.test(video.pix_fmt ?? ''),
    bitDepth: Number(/(9|10|12|14|16)(?:le|be)?$/.exec(video.pix_fmt ?? '')?.[1] ?? 8),
    rotation,
    truncated: claimed > 0 && time.seconds < claimed * 0.98 - 0.1,
  };
}

export function hdrOf(video: ProbedStream): 'pq' | 'hlg' | null {
  return video.color_transfer === 'smpte2084' ? 'pq' : video.color_transfer === 'arib-std-b67' ? 'hlg' : null;
}

/** Returns the rotation clockwise; `ffprobe` counts anticlockwise. */
export function clockwiseDegrees(video: ProbedStream): 0 | 90 | 180 | 270 {
  const anticlockwise = video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const turn = (((Math.round(-anticlockwise / 90) * 90) % 360) + 360) % 360;
  return turn as 0 | 90 | 180 | 270;
}

async function measure(
  filePath: string,
  container: SourceContainer,
  video: ProbedStream,
  limits: VideoLimits,
) {
  const answer = await probe([
    '-select_streams',
    String(video.index),
    '-show_entries',
    'packet=pts_time,dts_time,duration_time,flags',
    '-of',
    'csv=p=0',
    ...inputArguments(filePath, container),
  ]);
  let frames = 0;
  let first = Infinity;
  let last = -Infinity;
  let end = -Infinity;
  let clock: number | null = null;
  for (const line of answer.split('\n')) {
    const [pts = '', dts = '', duration = '', flags = ''] = line.split(',');
    const start = Number(pts === 'N/A' || pts === '' ? dts : pts);
    if (container === 'ts' && Number.isFinite(Number(dts || NaN))) {
      checkClock(clock, Number(dts));
      clock = Number(dts);
    }
    // As `PacketWatch` has it.
    if (container === 'ts' && frames === 0 && !flags.includes('K')) continue;
    if (container === 'ts' && start < first && frames > 0) continue;
    if (line === '' || !Number.isFinite(start) || flags.includes('D')) continue;
    frames += 1;
    first = Math.min(first, start);
    last = Math.max(last, start);
    end = Math.max(end, start + (Number(duration) || 0));
  }
  if (frames === 0) throw new MediaError('UNREADABLE', 'The video cannot be read: it holds no pictures.');
  if (frames > frameBudget(limits)) throw tooManyFrames(frameBudget(limits));
  if (end <= last && frames > 1) end = last + (last - first) / (frames - 1);
  if (end - first > limits.maxSeconds + LENGTH_SLACK_SECONDS) throw tooLong(limits.maxSeconds);
  return { frames, seconds: toMicroseconds(Math.max(0, end - first)) };
}

async function probe(args: string[]): Promise<string> {
  try {
    const { stdout } = await run('ffprobe', ['-v', 'error', ...args], {
      timeout: PROBE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_ANSWER_BYTES,
      env: childEnvironment(),
    });
    return stdout;
  } catch (cause) {
    const failed = cause as { killed?: boolean; code?: unknown };
    if (failed.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
      throw new MediaError('TOO_MANY_FRAMES', 'The video has too many frames.', { cause });
    }
    if (failed.killed === true)
      throw new MediaError('TIMEOUT', 'Reading the video took too long.', { cause });
    throw new MediaError('UNREADABLE', 'The video cannot be read: its header is damaged.', { cause });
  }
}
