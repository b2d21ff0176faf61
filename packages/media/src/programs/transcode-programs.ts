import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm, stat } from 'node:fs/promises';
import { Animation } from '../gif/animation.ts';
import { GifClock, gifSize } from '../gif/gif-from-video.ts';
import { RgbaFrame } from '../gif/rgba-frame.ts';
import { MediaError } from '../media-error.ts';
import { SNAP_SECONDS } from '../video/clip-part.ts';
import { childEnvironment } from '../isolation/child-environment.ts';
import { colourMatrix, matrixByName } from '../video/colour.ts';
import { toMicroseconds } from '../video/measure.ts';
import { lookAhead } from '../video/look-ahead.ts';
import { syncFile } from '../video/sync-file.ts';
import { targetSize } from '../video/target-size.ts';
import {
  CONTENT_TYPES,
  isWritten,
  type ClipPart,
  type ProcessOptions,
  type ProcessResult,
  type SourceContainer,
  type VideoContainer,
  type VideoLimits,
} from '../video/video-types.ts';
import { YuvFrame } from '../video/yuv-frame.ts';
import { matroskaFrameHead, matroskaHead } from './matroska-raw.ts';
import {
  clockwiseDegrees,
  hdrOf,
  inputArguments,
  type ProbedFile,
  probeStreams,
  type ProbedStream,
} from './probe-programs.ts';
import { rawFrames, type RawFrame, type RawPlan } from './raw-frames.ts';

/**
 * Does the work of `processVideo` by the `ffmpeg` on PATH, with the same time stamps. Alpha is
 * dropped, damaged pictures are not counted, and HDR is tone-mapped only if that `ffmpeg` has zimg.
 */
export async function transcodeWithPrograms(
  input: SourceContainer,
  limits: VideoLimits,
  options: ProcessOptions,
): Promise<ProcessResult> {
  const probed = await probeStreams(options.inputPath, input, limits);
  const { video, audio } = probed;
  const upright = uprightSize(video);
  if (options.container === 'gif') return gifWithPrograms(input, video, limits, options);
  const size = targetSize(upright.width, upright.height, options, true);
  const plan = { ...common(input, video, limits, options), size, format: 'yuv420p' as const };
  const part = `${options.outputPath}.part`;
  let encoder: ChildProcess | null = null;
  let ended: Promise<unknown[]> | null = null;
  let frames = 0;
  let first = 0;
  let last = 0;
  let copied = false;
  const length = lengthOf(video, options);
  const onAbort = () => encoder?.kill('SIGKILL');
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const { raw, view } of lookAhead(yuvPictures(plan, options.part), options.ahead)) {
      if (encoder === null) {
        first = raw.seconds;
        copied = options.part === undefined && copiesSound(options.container, audio[0]);
        const started = spawn(
          'ffmpeg',
          encodeArguments(plan, options, probed, Math.min(0, first), part, raw.origin),
          {
            stdio: ['pipe', 'ignore', 'ignore'],
            env: childEnvironment(),
          },
        );
        // The exit code below reports a dead encoder; EPIPE on the way there adds nothing.
        started.stdin.on('error', () => {});
        ended = once(started, 'close');
        ended.catch(() => {});
        started.stdin.write(matroskaHead(size.width, size.height));
        encoder = started;
      }
      await options.onFrame?.(view);
      view.release();
      last = raw.seconds;
      await send(encoder, ended, raw, Math.min(0, first));
      frames += 1;
      const fraction = length > 0 ? Math.min(1, (last - first) / length) : 0;
      options.onProgress?.({ framesDone: frames, secondsDone: last - first, fraction });
    }
    encoder?.stdin?.end();
    const [code] = (await ended) ?? [1];
    options.signal?.throwIfAborted();
    if (code !== 0) throw new Error(`ffmpeg could not encode the video (${String(code)})`);
    if (length > 0 && last - first + 1 < length / 2)
      throw new MediaError('DAMAGED', 'The video is cut short.');
    await syncFile(part);
    const { size: sizeBytes } = await stat(part);
    await rename(part, options.outputPath);
    return {
      container: options.container,
      contentType: CONTENT_TYPES[options.container],
      width: size.width,
      height: size.height,
      durationSeconds: toMicroseconds(Math.max(length, last - first)),
      frameCount: frames,
      damagedFrames: 0,
      audio: audio.length === 0 ? 'none' : copied ? 'copied' : 'encoded',
      sizeBytes,
      backend: 'ffmpeg',
    };
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
    encoder?.kill('SIGKILL');
    await ended?.catch(() => {});
    await rm(part, { force: true });
  }
}

async function gifWithPrograms(
  input: SourceContainer,
  video: ProbedStream,
  limits: VideoLimits,
  options: ProcessOptions,
): Promise<ProcessResult> {
  const upright = uprightSize(video);
  const size = gifSize(upright.width, upright.height, options);
  const plan = { ...common(input, video, limits, options), size, format: 'rgba' as const };
  const [num = 0, den = 1] = (video.avg_frame_rate ?? '').split('/').map(Number);
  const rate = den > 0 ? num / den : 0;
  const clock = new GifClock(rate);
  const length = lengthOf(video, options);
  const animation = await Animation.create(
    options.outputPath,
    size.width,
    size.height,
    Math.round(length * 30),
  );
  try {
    let last = 0;
    for await (const { raw, view } of lookAhead(rgbaPictures(plan, clock, options.part), options.ahead)) {
      const { timeSeconds: seconds, index } = view;
      if (index > 0) animation.setDelay(index - 1, clock.delayCs(last, seconds));
      await options.onFrame?.(view);
      await animation.add(raw.data, 10);
      last = seconds;
      const fraction = length > 0 ? Math.min(0.5, (seconds / length) * 0.5) : 0;
      options.onProgress?.({ framesDone: index + 1, secondsDone: seconds, fraction });
    }
    const frames = animation.frameCount;
    const end = Math.max(length, last + 1 / Math.max(1, rate));
    if (frames > 0) animation.setDelay(frames - 1, clock.delayCs(last, end));
    const result = await animation.write(0, true, (written) => {
      options.signal?.throwIfAborted();
      options.onProgress?.({
        framesDone: frames,
        secondsDone: end,
        fraction: 0.5 + (0.5 * written) / frames,
      });
    });
    return { ...result, backend: 'ffmpeg' };
  } finally {
    await animation.close();
  }
}

function lengthOf({ duration }: ProbedStream, { part }: ProcessOptions): number {
  const whole = Number(duration ?? 0);
  if (part === undefined) return whole;
  return (whole > 0 ? Math.min(whole, part.endSeconds) : part.endSeconds) - part.startSeconds;
}

/** Yields what is on the screen during a part of the clip, in seconds since the part's start. */
async function* partOfRaw(
  frames: AsyncIterable<RawFrame>,
  part: ClipPart | undefined,
): AsyncGenerator<RawFrame, void, undefined> {
  if (part === undefined) {
    yield* frames;
    return;
  }
  // The sound is cut by the file's own time.
  let first: number | null = null;
  let held: RawFrame | null = null;
  for await (const frame of frames) {
    first ??= frame.seconds;
    const seconds = toMicroseconds(frame.seconds - first - part.startSeconds);
    if (seconds < -SNAP_SECONDS) {
      held = frame;
      continue;
    }
    if (held !== null && seconds > SNAP_SECONDS) yield { ...held, seconds: 0, origin: first };
    held = null;
    if (seconds >= part.endSeconds - part.startSeconds - SNAP_SECONDS) return;
    yield { ...frame, seconds: Math.max(0, seconds), origin: first };
  }
  if (held !== null) yield { ...held, seconds: 0, origin: first! };
}

/** Returns the filter that cuts the sound of a part; without one, nothing. */
function soundFilter(part: ClipPart | undefined, origin: number): string[] {
  if (part === undefined) return [];
  const [from, to] = [origin + part.startSeconds, origin + part.endSeconds];
  return ['-af', `atrim=start=${from.toFixed(6)}:end=${to.toFixed(6)},asetpts=PTS-${from.toFixed(6)}/TB`];
}

function uprightSize(video: ProbedStream): { width: number; height: number } {
  const rotation = clockwiseDegrees(video);
  const { width = 0, height = 0 } = video;
  return rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height };
}

function common(
  container: SourceContainer,
  video: ProbedStream,
  limits: VideoLimits,
  options: { inputPath: string; signal?: AbortSignal },
) {
  return { inputPath: options.inputPath, container, video, limits, signal: options.signal };
}

/** Yields the pictures that a video takes, as views of 4:2:0 planes. */
async function* yuvPictures(
  plan: RawPlan,
  part: ClipPart | undefined,
): AsyncGenerator<{ readonly raw: RawFrame; readonly view: YuvFrame }, void, undefined> {
  const { width, height } = plan.size;
  const chromaWidth = (width + 1) >> 1;
  const chromaBytes = chromaWidth * ((height + 1) >> 1);
  const luma = width * height;
  const strides = [width, chromaWidth, chromaWidth];
  const toneMapped = hdrOf(plan.video) !== null;
  const matrix = toneMapped ? 1 : matrixByName(plan.video.color_space);
  const colours = colourMatrix(matrix, plan.video.color_range === 'pc', width, height);
  let first: number | null = null;
  let index = 0;
  for await (const raw of partOfRaw(rawFrames(plan), part)) {
    first ??= raw.seconds;
    const planes = [
      raw.data.subarray(0, luma),
      raw.data.subarray(luma, luma + chromaBytes),
      raw.data.subarray(luma + chromaBytes, luma + 2 * chromaBytes),
    ];
    const seconds = toMicroseconds(raw.seconds - first);
    yield { raw, view: new YuvFrame({ planes, strides, width, height }, colours, index, seconds) };
    index += 1;
  }
}

/** Yields the pictures that a GIF takes, as views of RGBA. */
async function* rgbaPictures(
  plan: RawPlan,
  clock: GifClock,
  part: ClipPart | undefined,
): AsyncGenerator<{ readonly raw: RawFrame; readonly view: RgbaFrame }, void, undefined> {
  const { width, height } = plan.size;
  let first: number | null = null;
  let index = 0;
  for await (const raw of partOfRaw(rawFrames(plan), part)) {
    first ??= raw.seconds;
    if (!clock.keeps(raw.seconds - first)) continue;
    const seconds = toMicroseconds(raw.seconds - first);
    yield { raw, view: new RgbaFrame(raw.data, width, height, index, seconds) };
    index += 1;
  }
}

async function send(
  encoder: ChildProcess,
  ended: Promise<unknown> | null,
  raw: RawFrame,
  offset: number,
): Promise<void> {
  const { stdin } = encoder;
  if (stdin === null || encoder.exitCode !== null) throw new Error('ffmpeg stopped while encoding');
  stdin.write(matroskaFrameHead(Math.round((raw.seconds - offset) * 1e6), raw.data.length));
  if (stdin.write(raw.data)) return;
  const waiting = new AbortController();
  const drained = once(stdin, 'drain', { signal: waiting.signal });
  drained.catch(() => {});
  await Promise.race([drained, ended]);
  waiting.abort();
}

function copiesSound(container: VideoContainer, sound: ProbedStream | undefined): boolean {
  const codec = sound?.codec_name ?? '';
  return container === 'webm' ? codec === 'opus' || codec === 'vorbis' : codec === 'aac';
}

function encodeArguments(
  plan: RawPlan,
  options: ProcessOptions,
  { audio, startSeconds }: ProbedFile,
  offset: number,
  part: string,
  origin = 0,
): string[] {
  const isWebm = options.container === 'webm';
  const codec = isWebm
    ? [
        '-c:v',
        'libvpx-vp9',
        '-deadline',
        'realtime',
        '-cpu-used',
        '7',
        '-row-mt',
        '1',
        '-crf',
        '28',
        '-b:v',
        '0',
      ]
    : ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20'];
  const toneMapped = hdrOf(plan.video) !== null;
  const tags = [
    ['-colorspace', toneMapped ? 'bt709' : plan.video.color_space],
    ['-color_primaries', toneMapped ? 'bt709' : plan.video.color_primaries],
    ['-color_trc', toneMapped ? 'bt709' : plan.video.color_transfer],
    ['-color_range', toneMapped ? 'tv' : plan.video.color_range],
  ].filter((tag): tag is [string, string] => tag[1] !== undefined && tag[1] !== 'unknown');
  const [num = '1', den = '90000'] = (plan.video.time_base ?? '').split('/');
  const isCopied = options.part === undefined && copiesSound(options.container, audio[0]);
  const audioCodec = isCopied ? 'copy' : isWebm ? 'libopus' : 'aac';
  return [
    '-v',
    'error',
    '-nostdin',
    '-y',
    '-copyts',
    '-itsoffset',
    String(offset),
    '-protocol_whitelist',
    'pipe',
    '-f',
    'matroska',
    '-i',
    'pipe:0',
    ...inputArguments(plan.inputPath, plan.container),
    '-map',
    '0:v:0',
    ...(isWritten(plan.container) ? ['-map', '1:a?'] : audio.flatMap(({ index }) => ['-map', `1:${index}`])),
    '-map_metadata',
    '-1',
    '-c:a',
    audioCodec,
    ...soundFilter(options.part, origin),
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    `${num}:${den}`,
    ...codec,
    '-pix_fmt',
    'yuv420p',
    ...tags.flat(),
    // Older builds would shift the pictures by Opus's pre-skip, which WebM stores in a field of its
    // own.
    ...(isWebm ? ['-avoid_negative_ts', 'disabled'] : []),
    ...(isWebm ? [] : ['-movflags', '+faststart', ...(num === '1' ? ['-video_track_timescale', den] : [])]),
    // A part begins at 0 already.
    ...(startSeconds === 0 || options.part !== undefined ? [] : ['-output_ts_offset', String(-startSeconds)]),
    '-f',
    isWebm ? 'webm' : options.container,
    `file:${part}`,
  ];
}
