import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { makeTalk } from './make-talk.ts';

/** A clip whose swap is measured. */
export interface VideoCase {
  /** Name in the table. */
  readonly name: string;
  readonly container: 'mp4' | 'webm';
  /** Number of people who get another face. Default: the main person alone. */
  readonly people?: number;
  /** Goal for the frames per second, divided by those of a plain transcode. */
  readonly ratioAtLeast?: number;
  /** Goal for the frames per second, divided by those of ffmpeg. */
  readonly ffmpegRatioAtLeast?: number;
  readonly cpuMsAtMost?: number;
  /** Makes the clip. Returns false if something is missing that it needs. */
  readonly make: (clip: string) => Promise<boolean>;
}

export const MAN = 'video/v02_ls_man_kitchen_hevc.mp4';
const WOMAN = 'video/v01_ls_woman_outdoor_hevc.mp4';
const GESTURES = 'video/v03_ls_man_gestures_hevc.mp4';
const PAIR = 'video/v20_two_faces_side_by_side_audio.mp4';
const HEADS = 'video/v21_two_heads_rotating.mp4';
const AV1 = 'video/v26_av1_opus.mp4';

const mp4 = { container: 'mp4' } as const;
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-pix_fmt', 'yuv420p'];
const COPY = ['-c', 'copy'];

export const VIDEO_CASES: readonly VideoCase[] = [
  { ...mp4, name: '720p', ratioAtLeast: 0.7, cpuMsAtMost: 6.5, make: (clip) => makeTalk(clip, 720) },
  { ...mp4, name: '1080p', ratioAtLeast: 0.75, make: (clip) => makeTalk(clip, 1080) },
  { name: '720p WebM', container: 'webm', make: (clip) => makeTalk(clip, 720) },
  { ...mp4, name: 'real man, 720p', ffmpegRatioAtLeast: 0.75, make: scaled(MAN, 720) },
  { ...mp4, name: 'real woman, 720p', ffmpegRatioAtLeast: 0.75, make: scaled(WOMAN, 720) },
  { ...mp4, name: 'real man, 1080p', ffmpegRatioAtLeast: 0.82, make: scaled(MAN, 1080) },
  {
    ...mp4,
    name: 'real man, 4K',
    make: byFfmpeg([MAN], ['-t', '3', '-vf', 'scale=2160:3840', ...H264, '-c:a', 'copy']),
  },
  {
    ...mp4,
    name: 'real man, 720p, 60 frames a second',
    make: byFfmpeg(
      [GESTURES],
      ['-t', '10', '-vf', 'setpts=PTS/2,scale=720:1280', '-r', '60', '-an', ...H264],
    ),
  },
  { ...mp4, name: 'real man, 1080p, HEVC', make: byFfmpeg([MAN], ['-t', '10', ...COPY]) },
  { ...mp4, name: 'real man, 540p, AV1', make: byFfmpeg([AV1], COPY) },
  { ...mp4, name: 'two people, 720p', people: 2, make: byFfmpeg([PAIR], COPY) },
  {
    ...mp4,
    name: 'four of five people, 720p',
    people: 4,
    ffmpegRatioAtLeast: 0.5,
    make: byFfmpeg(
      [WOMAN, MAN, GESTURES, HEADS],
      ['-filter_complex', fourInOne(), '-an', '-t', '8', ...H264],
    ),
  },
];

/** Returns a filter that puts four clips, with five people, into one picture of 1280 x 720. */
function fourInOne(): string {
  // Of a portrait, the part with the head is taken.
  const tops = ['ih/5', 'ih/12', 'ih/12', '0'];
  const tiles = tops.map(
    (top, k) =>
      `[${k}:v]scale=640:360:force_original_aspect_ratio=increase,crop=640:360:0:${top},fps=25,setsar=1[t${k}]`,
  );
  return `${tiles.join(';')};[t0][t1][t2][t3]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0`;
}

/** Returns a maker that makes ten seconds of a fixture H.264, no larger than this. */
export function scaled(file: string, maxShortSide: number): VideoCase['make'] {
  return async (clip) => {
    if (skipWithoutFixtures !== false) return false;
    const part = { startSeconds: 0, endSeconds: 10 };
    await processVideo({ inputPath: fixture(file), outputPath: clip, container: 'mp4', maxShortSide, part });
    return true;
  };
}

/** Returns a maker that runs ffmpeg on endless copies of these fixtures, where it is installed. */
function byFfmpeg(files: readonly string[], args: readonly string[]): VideoCase['make'] {
  return async (clip) => {
    if (skipWithoutFixtures !== false || (await versionOfFfmpeg()) === null) return false;
    const inputs = files.flatMap((file) => [
      ...(files.length > 1 ? ['-stream_loop', '-1'] : []),
      '-i',
      fixture(file),
    ]);
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...inputs, ...args, clip]);
    return true;
  };
}

/** Returns the version of the program ffmpeg; null if it is not installed. */
export async function versionOfFfmpeg(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('ffmpeg', ['-version']);
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
  } catch {
    return null;
  }
}
