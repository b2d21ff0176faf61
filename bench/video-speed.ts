import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import { swapFrames, type FrameHooks, type VideoSwap } from '@guise/engine/pipeline/swap-video.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import { ALLOCATOR_SETTINGS } from '@guise/engine-host/parent/allocator-settings.ts';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { round, type Figure } from './report/figures.ts';

/**
 * Number of frames in the clip, which lasts ten seconds. The fixed time of a swap has the share
 * that it has in a clip of that length.
 */
const FRAMES = 250;
/**
 * Number of swaps before the measurement. V8 compiles code during about a thousand frames, which a
 * running service has processed after a minute.
 */
const WARM_UP_SWAPS = 4;
/** Number of rounds of a swap and a plain transcode. The medians count. */
const TURNS = 3;
/** Width of the face as a share of the shorter side, as in a video of one talking person. */
const FACE_SHARE = 0.42;
/** Distance by which background and face move, pixels. */
const WANDER = 60;
const RESTORE = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
/** Crop of the sample figure's head and shoulders, because most sources show these. */
export const PORTRAIT = { left: 440, top: 0, width: 300, height: 300 };

interface Case {
  /** Name in the table. */
  readonly name: string;
  /** File of the fixtures; the computer-generated clip if absent. */
  readonly fixture?: string;
  readonly shortSide: number;
  readonly container: 'mp4' | 'webm';
  /** Goal for the frames per second, divided by those of a plain transcode. */
  readonly ratioAtLeast?: number;
  /** Goal for the frames per second, divided by those of ffmpeg. */
  readonly ffmpegRatioAtLeast?: number;
  readonly cpuMsAtMost?: number;
}

const MAN = 'video/v02_ls_man_kitchen_hevc.mp4';
const WOMAN = 'video/v01_ls_woman_outdoor_hevc.mp4';

const CASES: readonly Case[] = [
  { name: '720p', shortSide: 720, container: 'mp4', ratioAtLeast: 0.7, cpuMsAtMost: 6.5 },
  { name: '1080p', shortSide: 1080, container: 'mp4', ratioAtLeast: 0.75 },
  { name: '720p WebM', shortSide: 720, container: 'webm' },
  { name: 'real man, 720p', fixture: MAN, shortSide: 720, container: 'mp4', ffmpegRatioAtLeast: 0.75 },
  { name: 'real woman, 720p', fixture: WOMAN, shortSide: 720, container: 'mp4', ffmpegRatioAtLeast: 0.75 },
  { name: 'real man, 1080p', fixture: MAN, shortSide: 1080, container: 'mp4', ffmpegRatioAtLeast: 0.82 },
];

interface Speed {
  readonly plainPerSecond: number;
  readonly swappedPerSecond: number;
  /** Frames per second of ffmpeg's own transcode; null if it is not installed. */
  readonly ffmpegPerSecond: number | null;
  /** CPU time of decoding per frame. */
  readonly decodeMs: number;
  /** CPU time of tracking per frame. */
  readonly trackMs: number;
  readonly trackAndSwapMs: number;
  readonly allMs: number;
  readonly plainMs: number;
}

/**
 * Measures swaps of a computer-generated clip with one face and, where the fixtures are, of real
 * ones; by turns with plain transcodes by the same decoder, encoder and settings, and with ffmpeg
 * where it is installed. Each case runs in its own process. Empty without node-av.
 */
export async function benchVideoSpeed(modelCacheDir: string): Promise<Figure[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'guise-video-speed-'));
  try {
    // The first start converts the models.
    await (await createEngine({ modelCacheDir })).close();
    const figures: Figure[] = [];
    for (const each of CASES) {
      if (each.fixture !== undefined && skipWithoutFixtures !== false) continue;
      const clip = path.join(dir, `${figures.length}.mp4`);
      if (!(await makeClipOf(each, clip))) return [];
      const args = [...process.execArgv, import.meta.filename, clip, each.container, modelCacheDir];
      const env = { ...process.env, ...ALLOCATOR_SETTINGS };
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      figures.push(...figuresOf(each, JSON.parse(stdout) as Speed));
      await rm(clip);
    }
    return figures;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Makes the H.264 clip of a case. @returns false without node-av */
async function makeClipOf({ fixture: file, shortSide }: Case, clip: string): Promise<boolean> {
  if (file === undefined) return makeTalk(clip, shortSide);
  if ((await loadNodeAv()) === null) return false;
  await processVideo({
    inputPath: fixture(file),
    outputPath: clip,
    container: 'mp4',
    maxShortSide: shortSide,
  });
  return true;
}

function figuresOf(each: Case, speed: Speed): Figure[] {
  const { name, ratioAtLeast, ffmpegRatioAtLeast, cpuMsAtMost } = each;
  const { swappedPerSecond, plainPerSecond, ffmpegPerSecond } = speed;
  return [
    {
      name: `${name}, frames over a plain transcode's`,
      value: round(swappedPerSecond / plainPerSecond),
      unit: 'x',
      ...(ratioAtLeast === undefined ? {} : { goal: { atLeast: ratioAtLeast } }),
    },
    ...(ffmpegPerSecond === null
      ? []
      : [
          {
            name: `${name}, frames over ffmpeg's`,
            value: round(swappedPerSecond / ffmpegPerSecond),
            unit: 'x' as const,
            ...(ffmpegRatioAtLeast === undefined ? {} : { goal: { atLeast: ffmpegRatioAtLeast } }),
          },
        ]),
    { name: `${name}, swapped`, value: round(swappedPerSecond), unit: '/s' },
    { name: `${name}, plain transcode`, value: round(plainPerSecond), unit: '/s' },
    {
      name: `${name}, track and swap a frame, CPU`,
      value: round(speed.trackAndSwapMs),
      unit: 'ms',
      ...(cpuMsAtMost === undefined ? {} : { goal: { atMost: cpuMsAtMost } }),
    },
    { name: `${name}, of which track`, value: round(speed.trackMs), unit: 'ms' },
    { name: `${name}, decode a frame, CPU`, value: round(speed.decodeMs), unit: 'ms' },
    { name: `${name}, a whole frame, CPU`, value: round(speed.allMs), unit: 'ms' },
    { name: `${name}, the same, plain`, value: round(speed.plainMs), unit: 'ms' },
  ];
}

/**
 * Makes a landscape H.264 clip: a face in front of a background of soft noise. Both move.
 * @returns false without node-av
 */
export async function makeTalk(file: string, shortSide: number, frames = FRAMES): Promise<boolean> {
  const av = await loadNodeAv();
  if (av === null) return false;
  const height = shortSide;
  const width = (16 * shortSide) / 9;
  const blank = `${file}.blank.mp4`;
  const ticks = Array.from({ length: frames }, (_, index) => index * 40);
  const timeBase = { num: 1, den: 1000 };
  await makeClip(av, blank, { container: 'mp4', width, height, ticks, timeBase, sound: true });
  const { face } = await readSampleFaces();
  const side = Math.round(FACE_SHARE * shortSide);
  const head = await pixels(sharp(face).resize(side, side));
  const grain = { type: 'gaussian', mean: 110, sigma: 70 } as const;
  const behind = await pixels(
    sharp({
      create: {
        width: width + WANDER,
        height: height + WANDER,
        channels: 3,
        background: '#888',
        noise: grain,
      },
    }).blur(2.5),
  );
  await processVideo({
    inputPath: blank,
    outputPath: file,
    container: 'mp4',
    onFrame: (frame) => {
      const at = (share: number): number => Math.round((WANDER / 2) * (1 + Math.sin(share * frame.index)));
      const data = new Uint8Array(3 * width * height);
      paste(behind, at(0.03), at(0.02), { data, width, height }, 0, 0, width, height);
      const [x, y] = [(width - side) / 2 + at(0.05), height / 4 + at(0.07)].map(Math.round) as [
        number,
        number,
      ];
      paste(head, 0, 0, { data, width, height }, x, y, side, side);
      frame.commitRgb({ x: 0, y: 0, width, height }, { data, width, height });
    },
  });
  await rm(blank);
  return true;
}

function paste(
  from: RgbImage,
  left: number,
  top: number,
  to: RgbImage,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  for (let row = 0; row < height; row++) {
    const start = 3 * ((top + row) * from.width + left);
    to.data.set(from.data.subarray(start, start + 3 * width), 3 * ((y + row) * to.width + x));
  }
}

async function pixels(picture: Sharp): Promise<RgbImage> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

async function measureSpeed(clip: string, container: 'mp4' | 'webm', modelCacheDir: string): Promise<Speed> {
  const engine = await createEngine({ modelCacheDir });
  const { body } = await readSampleFaces();
  const source = await pixels(sharp(body).extract(PORTRAIT));
  const output = `${clip}.out.${container}`;
  const withSwap = async (run: (swap: VideoSwap) => Promise<unknown>): Promise<void> => {
    const swap = await engine.openVideoSwap({ source, targetName: 'target video', restore: RESTORE });
    try {
      await run(swap);
    } finally {
      await swap.close();
    }
  };
  const pass = (hooks: Partial<FrameHooks> = {}): Promise<unknown> =>
    processVideo({ inputPath: clip, outputPath: output, container, ...hooks });
  const scan = (onFrame: FrameHooks['onFrame']): Promise<unknown> => scanVideo(clip, onFrame);
  // Swaps in the same way as a worker, but without signing.
  const swapAll = (): Promise<void> => withSwap((swap) => swapFrames(swap, pass));
  for (let i = 0; i < WARM_UP_SWAPS; i++) await swapAll();
  const { frameCount } = await processVideo({ inputPath: clip, outputPath: output, container });
  const decoding = await timed(() => scan(() => Promise.resolve()));
  const looking = await timed(() => withSwap((swap) => scan((frame) => swap.look(frame))));
  const plain: Times[] = [];
  const swapped: Times[] = [];
  const ffmpegMs: number[] = [];
  const hasFfmpeg = container === 'mp4' && (await transcodeMs(clip, output)) !== null;
  for (let i = 0; i < TURNS; i++) {
    plain.push(await timed(() => pass()));
    swapped.push(await timed(swapAll));
    if (hasFfmpeg) ffmpegMs.push((await transcodeMs(clip, output))!);
  }
  await engine.close();
  const medianOfFfmpeg = ffmpegMs.toSorted((a, b) => a - b)[ffmpegMs.length >> 1];
  return {
    plainPerSecond: (1000 * frameCount) / median(plain, 'wallMs'),
    swappedPerSecond: (1000 * frameCount) / median(swapped, 'wallMs'),
    ffmpegPerSecond: medianOfFfmpeg === undefined ? null : (1000 * frameCount) / medianOfFfmpeg,
    decodeMs: decoding.cpuMs / frameCount,
    trackMs: (looking.cpuMs - decoding.cpuMs) / frameCount,
    trackAndSwapMs: median(swapped, 'threadMs') / frameCount,
    allMs: median(swapped, 'cpuMs') / frameCount,
    plainMs: median(plain, 'cpuMs') / frameCount,
  };
}

/**
 * Transcodes a clip with the program ffmpeg, by the settings of guise.
 * @returns how long it took; null if ffmpeg is not installed
 */
async function transcodeMs(clip: string, output: string): Promise<number | null> {
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  const since = performance.now();
  try {
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-i', clip, ...video, '-c:a', 'copy', output]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return performance.now() - since;
}

function median(runs: readonly Times[], of: keyof Times): number {
  return runs.map((run) => run[of]).sort((a, b) => a - b)[runs.length >> 1]!;
}

interface Times {
  readonly wallMs: number;
  /** CPU time of all threads. */
  readonly cpuMs: number;
  /**
   * CPU time of this thread: everything except decoding and encoding, which have their own threads.
   */
  readonly threadMs: number;
}

/**
 * Measures the time of a whole run. Single frames cannot be measured, because the system counts CPU
 * time in clock ticks.
 */
async function timed(run: () => Promise<unknown>): Promise<Times> {
  const started = performance.now();
  const before = process.cpuUsage();
  const threadBefore = process.threadCpuUsage();
  await run();
  return {
    wallMs: performance.now() - started,
    cpuMs: milliseconds(process.cpuUsage(before)),
    threadMs: milliseconds(process.threadCpuUsage(threadBefore)),
  };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

if (import.meta.main) {
  const [clip, container, modelCacheDir] = process.argv.slice(2) as [string, 'mp4' | 'webm', string];
  process.stdout.write(JSON.stringify(await measureSpeed(clip, container, modelCacheDir)));
}
