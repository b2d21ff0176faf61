import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import type { VideoFrame } from '@guise/engine/face/video-frame.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { loadNodeAv } from '@guise/media/video/backend.ts';
import { processVideo } from '@guise/media/video/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { round, type Figure } from './figures.ts';

/** Ten seconds: what a swap costs once counts as in a clip of that length. */
const FRAMES = 250;
/** Width over the shorter side: a face as in a film of one who talks. */
const FACE_SHARE = 0.42;
/** How far background and face wander, pixels. */
const WANDER = 60;
/** Head and shoulders of the sample figure, as most sources show them. */
export const PORTRAIT = { left: 440, top: 0, width: 300, height: 300 };

interface Case {
  readonly shortSide: number;
  readonly container: 'mp4' | 'webm';
  readonly ratioAtLeast?: number;
  readonly cpuMsAtMost?: number;
}

const CASES: readonly Case[] = [
  { shortSide: 720, container: 'mp4', ratioAtLeast: 0.7, cpuMsAtMost: 6.5 },
  { shortSide: 1080, container: 'mp4', ratioAtLeast: 0.75 },
  { shortSide: 720, container: 'webm' },
];

interface Speed {
  readonly plainPerSecond: number;
  readonly swappedPerSecond: number;
  /** CPU time a frame. */
  readonly trackMs: number;
  readonly drawMs: number;
  readonly allMs: number;
  readonly plainMs: number;
}

/**
 * Swaps of a clip with one face beside plain transcodes of the same run, with the same decoder, encoder and settings. The clip is
 * computer-generated; each case runs in a process of its own. Nothing where there is no video backend.
 */
export async function benchVideoSpeed(modelCacheDir: string): Promise<Figure[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'guise-video-speed-'));
  try {
    // The first start converts the models; no measured process is to have done that.
    await (await createEngine({ modelCacheDir })).close();
    const figures: Figure[] = [];
    for (const each of CASES) {
      const clip = path.join(dir, `${each.shortSide}.mp4`);
      if (!(await makeTalk(clip, each.shortSide))) return [];
      const args = [...process.execArgv, import.meta.filename, clip, each.container, modelCacheDir];
      const env = { ...process.env, MALLOC_ARENA_MAX: '1' };
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      figures.push(...figuresOf(each, JSON.parse(stdout) as Speed));
    }
    return figures;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function figuresOf(each: Case, speed: Speed): Figure[] {
  const name = `${each.shortSide}p${each.container === 'mp4' ? '' : ' WebM'}`;
  const { ratioAtLeast, cpuMsAtMost } = each;
  return [
    {
      name: `${name}, frames over a plain transcode's`,
      value: round(speed.swappedPerSecond / speed.plainPerSecond),
      unit: 'x',
      ...(ratioAtLeast === undefined ? {} : { goal: { atLeast: ratioAtLeast } }),
    },
    { name: `${name}, swapped`, value: round(speed.swappedPerSecond), unit: '/s' },
    { name: `${name}, plain transcode`, value: round(speed.plainPerSecond), unit: '/s' },
    {
      name: `${name}, track and swap a frame, CPU`,
      value: round(speed.trackMs + speed.drawMs),
      unit: 'ms',
      ...(cpuMsAtMost === undefined ? {} : { goal: { atMost: cpuMsAtMost } }),
    },
    { name: `${name}, of which track`, value: round(speed.trackMs), unit: 'ms' },
    { name: `${name}, a whole frame, CPU`, value: round(speed.allMs), unit: 'ms' },
    { name: `${name}, the same, plain`, value: round(speed.plainMs), unit: 'ms' },
  ];
}

/** An H.264 clip, landscape: a face before a background of soft grain, both wander. @returns false without a video backend */
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
  const swap = (): Promise<{ look: number; draw: number }> =>
    swapClip(engine, source, clip, output, container);
  const plain = (): Promise<unknown> => processVideo({ inputPath: clip, outputPath: output, container });
  // The first runs are not timed: code is compiled, caches fill.
  await swap();
  const [plainWallMs, plainCpuMs] = await timed(plain);
  const [, decodingCpuMs] = await timed(() => scan(clip, container));
  let stages = { look: 0, draw: 0 };
  const [wallMs, cpuMs] = await timed(async () => {
    stages = await swap();
  });
  await engine.close();
  return {
    plainPerSecond: (1000 * FRAMES) / plainWallMs,
    swappedPerSecond: (1000 * FRAMES) / wallMs,
    trackMs: (stages.look - decodingCpuMs) / FRAMES,
    drawMs: stages.draw / FRAMES,
    allMs: cpuMs / FRAMES,
    plainMs: plainCpuMs / FRAMES,
  };
}

/**
 * As a worker does it, without signing. @returns CPU time, ms: of all threads in the first pass, where a network has one of its
 * own, and of this one in the second, where the others encode. Of short times the system counts only what ended in a turn
 * of its clock, so that frames cannot be counted one by one
 */
async function swapClip(
  engine: Engine,
  source: RgbImage,
  inputPath: string,
  outputPath: string,
  container: 'mp4' | 'webm',
): Promise<{ look: number; draw: number }> {
  const swap = await engine.openVideoSwap({
    source,
    targetName: 'target video',
    faceRestoreVisibility: 0.85,
    restoreVisibility: 0.7,
  });
  const spent = { look: 0, draw: 0 };
  try {
    [, spent.look] = await timed(() => scan(inputPath, container, (frame) => swap.look(frame)));
    swap.choose();
    const before = process.threadCpuUsage();
    await processVideo({ inputPath, outputPath, container, onFrame: (frame) => swap.draw(frame) });
    spent.draw = milliseconds(process.threadCpuUsage(before));
  } finally {
    swap.close();
  }
  return spent;
}

function scan(
  inputPath: string,
  container: 'mp4' | 'webm',
  onFrame: (frame: VideoFrame) => Promise<void> = () => Promise.resolve(),
): Promise<unknown> {
  return scanVideo({ inputPath, container, everySeconds: 0, onFrame });
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** Wall and CPU time of all threads, ms. */
async function timed(run: () => Promise<unknown>): Promise<[number, number]> {
  const started = performance.now();
  const before = process.cpuUsage();
  await run();
  return [performance.now() - started, milliseconds(process.cpuUsage(before))];
}

if (import.meta.main) {
  const [clip, container, modelCacheDir] = process.argv.slice(2) as [string, 'mp4' | 'webm', string];
  process.stdout.write(JSON.stringify(await measureSpeed(clip, container, modelCacheDir)));
}
