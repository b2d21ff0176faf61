import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import { swapFrames, type FrameHooks, type VideoSwap } from '@guise/engine/pipeline/swap-video.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { createJobTools } from '@guise/engine-host/child/job-tools.ts';
import { swapPersons } from '@guise/engine-host/child/swap-persons-job.ts';
import { BLANK_SIGNER } from '@guise/engine-host/protocol/blank-signer.ts';
import type { SwapPersonsJob } from '@guise/engine-host/protocol/engine-job.ts';
import { ALLOCATOR_SETTINGS } from '@guise/engine-host/parent/allocator-settings.ts';
import sharp from 'sharp';
import { pixels, PORTRAIT } from './make-talk.ts';
import { round, type Figure } from '../report/figures.ts';
import { VIDEO_CASES, type VideoCase } from './video-cases.ts';

/**
 * Number of frames that are swapped before the measurement. V8 compiles code during that many,
 * which a running service has processed after a minute.
 */
const WARM_UP_FRAMES = 1000;
/** Number of rounds of a swap and a plain transcode. The medians count. */
const TURNS = 3;
const RESTORE = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
interface Speed {
  readonly plainPerSecond: number;
  readonly swappedPerSecond: number;
  /** Frames per second of ffmpeg's own transcode; null if it is not installed. */
  readonly ffmpegPerSecond: number | null;
  /** CPU time of decoding per frame. */
  readonly decodeMs: number;
  /** CPU time of tracking per frame; null if several people are swapped. */
  readonly trackMs: number | null;
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
    for (const each of VIDEO_CASES) {
      const clip = path.join(dir, `${figures.length}.mp4`);
      if (!(await each.make(clip))) continue;
      const { container, people = 1 } = each;
      const args = [...process.execArgv, import.meta.filename, clip, container, `${people}`, modelCacheDir];
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

function figuresOf(each: VideoCase, speed: Speed): Figure[] {
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
    ...(speed.trackMs === null
      ? []
      : [{ name: `${name}, of which track`, value: round(speed.trackMs), unit: 'ms' }]),
    { name: `${name}, decode a frame, CPU`, value: round(speed.decodeMs), unit: 'ms' },
    { name: `${name}, a whole frame, CPU`, value: round(speed.allMs), unit: 'ms' },
    { name: `${name}, the same, plain`, value: round(speed.plainMs), unit: 'ms' },
  ];
}

async function measureSpeed(
  clip: string,
  container: 'mp4' | 'webm',
  people: number,
  modelCacheDir: string,
): Promise<Speed> {
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
  // Swaps in the same way as a worker. One person's clip is not signed.
  const swapAll = (): Promise<unknown> =>
    people === 1
      ? withSwap((swap) => swapFrames(swap, pass))
      : swapPeople(engine, { targetPath: clip, outputPath: output, container, people });
  const { frameCount } = await processVideo({ inputPath: clip, outputPath: output, container });
  for (let done = 0; done < WARM_UP_FRAMES; done += frameCount) await swapAll();
  const decoding = await timed(() => scan(() => Promise.resolve()));
  const looking =
    people > 1 ? null : await timed(() => withSwap((swap) => scan((frame) => swap.look(frame))));
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
    trackMs: looking && (looking.cpuMs - decoding.cpuMs) / frameCount,
    trackAndSwapMs: median(swapped, 'threadMs') / frameCount,
    allMs: median(swapped, 'cpuMs') / frameCount,
    plainMs: median(plain, 'cpuMs') / frameCount,
  };
}

/** Swaps several people of a clip for the sample figure, as a worker does. */
async function swapPeople(
  engine: Engine,
  { people, ...clip }: Pick<SwapPersonsJob, 'targetPath' | 'outputPath' | 'container'> & { people: number },
): Promise<void> {
  const path = `${clip.targetPath}.source.png`;
  await sharp((await readSampleFaces()).body)
    .extract(PORTRAIT)
    .toFile(path);
  const numbers = Array.from({ length: people }, (_, k) => k);
  const job: SwapPersonsJob = {
    kind: 'swap-persons',
    ...clip,
    mappings: numbers.map((k) => ({ name: `person ${k}`, face: { personIndex: k } })),
    sources: numbers.map(() => ({ path })),
    options: { restore: RESTORE },
    maxPixels: 1e8,
  };
  const hooks = { signal: new AbortController().signal, signer: BLANK_SIGNER, onProgress: () => {} };
  await swapPersons(createJobTools(engine), job, hooks);
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
  const [clip, container, people, models] = process.argv.slice(2) as [string, 'mp4' | 'webm', string, string];
  process.stdout.write(JSON.stringify(await measureSpeed(clip, container, Number(people), models)));
}
