import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip, type TestClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import type { Client, Fields, File } from './client.ts';
import { body, client, face, newClient, service } from './photo-setup.ts';

/** What the tests of the video and GIF workflows share: clips of their own making, and clients. */

export const VIDEO = '/api/ai-tasks/video';
export const GIF = '/api/ai-tasks/gif';
export const videoClient = client.at(VIDEO);
export const gifClient = client.at(GIF);

export async function newVideoClient(options: Parameters<typeof newClient>[0]): Promise<Client> {
  return (await newClient(options)).at(VIDEO);
}
export async function newGifClient(options: Parameters<typeof newClient>[0]): Promise<Client> {
  return (await newClient(options)).at(GIF);
}

const av = await loadNodeAv();
export const skipWithoutVideo: string | false = av === null ? 'node-av is not installed' : false;

const folder = await mkdtemp(path.join(tmpdir(), 'guise-clips-'));
after(() => rm(folder, { recursive: true, force: true }));
let clips = 0;

/** Small moving gradients without a face, one frame a tick. */
export async function clip(options: {
  container?: TestClip['container'];
  frames: number;
  framesPerSecond: number;
}): Promise<File> {
  const { container = 'mp4', frames, framesPerSecond } = options;
  return asFile(await makeFile(container, frames, framesPerSecond, 64, 64), container);
}

/** The sample face, drifting, 320 x 280. */
export async function faceClip(options: {
  container?: TestClip['container'];
  frames: number;
  framesPerSecond: number;
  /** Times of the frames, twelve ticks to a regular frame; absent: all are regular. */
  ticks?: readonly number[];
  sound?: boolean;
}): Promise<File> {
  const { container = 'mp4', frames, framesPerSecond, ticks, sound } = options;
  const inputPath = await makeFile(container, frames, framesPerSecond, 320, 280, { ticks, sound });
  const side = 256;
  const data = await sharp(face).removeAlpha().raw().toBuffer();
  // Processing writes MP4 and WebM only; a phone's MOV differs in its brand.
  const written = container === 'webm' ? 'webm' : 'mp4';
  const outputPath = path.join(folder, `face-${clips++}.${written}`);
  await processVideo({
    inputPath,
    outputPath,
    container: written,
    onFrame(frame) {
      const x = 8 + (frame.index % 40);
      frame.commitRgb({ x, y: 12, width: side, height: side }, { data, width: side, height: side });
    },
  });
  return asFile(outputPath, container);
}

async function makeFile(
  container: TestClip['container'],
  frames: number,
  framesPerSecond: number,
  width: number,
  height: number,
  {
    ticks: given,
    sound = false,
  }: { ticks?: readonly number[] | undefined; sound?: boolean | undefined } = {},
): Promise<string> {
  const file = path.join(folder, `clip-${clips++}.${container}`);
  // Twelve ticks a frame: an MP4's time base may not be a frame itself.
  const ticks = given ?? Array.from({ length: frames }, (_, index) => index * 12);
  const timeBase = { num: 1, den: framesPerSecond * 12 };
  await makeClip(av!, file, { container, width, height, ticks, timeBase, sound });
  return file;
}

async function asFile(file: string, container: TestClip['container']): Promise<File> {
  const bytes = await readFile(file);
  // The brand is all that tells a QuickTime file from an MP4 one.
  if (container === 'mov') bytes.write('qt  ', 8, 'latin1');
  return { bytes, name: `clip.${container}`, type: 'application/octet-stream' };
}

/** A GIF of `frames` pictures: the sample face, drifting, or plain grey. */
export async function animation(
  frames: number,
  delayMs: number,
  what: 'face' | 'grey' = 'face',
): Promise<File> {
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, index) => {
      const size = what === 'face' ? { width: 320, height: 280 } : { width: 16, height: 16 + (index % 2) };
      const ground = sharp({
        create: { ...size, height: size.height & ~1, channels: 3, background: `#${567 + index}` },
      });
      return (what === 'face' ? ground.composite([{ input: face, left: 10 + 4 * index, top: 10 }]) : ground)
        .png()
        .toBuffer();
    }),
  );
  const joined = frames === 1 ? sharp(pictures[0]) : sharp(pictures, { join: { animated: true } });
  const bytes = await joined.gif({ delay: pictures.map(() => delayMs), loop: 0 }).toBuffer();
  return { bytes, name: 'nod.gif', type: 'image/gif' };
}

export function swapVideo(target: File, extra: Fields = []): Fields {
  return [['sourceImage', { bytes: body, name: 'me.jpg' }], ['targetVideo', target], ...extra];
}

export function swapGif(target: File, extra: Fields = []): Fields {
  return [['sourceImage', { bytes: body, name: 'me.jpg' }], ['targetGif', target], ...extra];
}

export async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

/** Waits until no upload and no part of an output is on the disk any more. */
export function untilScratchIsEmpty(): Promise<void> {
  return untilScratch((names) => names.length === 0);
}

/** Waits until an engine writes its output. */
export function untilScratchHoldsAPart(): Promise<void> {
  return untilScratch((names) => names.some((name) => name.startsWith('out')));
}

async function untilScratch(isAsWanted: (names: readonly string[]) => boolean): Promise<void> {
  let names: string[] = [];
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(20)) {
    const found = await filesUnderWay();
    if (found === null) continue;
    names = found;
    if (isAsWanted(names)) return;
  }
  assert.fail(`the scratch holds ${names.length} files: ${names.join(', ')}`);
}

/**
 * Lists the files on the scratch, without the locks and networks that each process has there as
 * long as it lives; null if a folder went away while it was read.
 */
async function filesUnderWay(): Promise<string[] | null> {
  const scratch = path.join(service.dataDir, 'media/scratch');
  try {
    const entries = await readdir(scratch, { recursive: true, withFileTypes: true });
    const files = entries.filter(
      (entry) => entry.isFile() && !/\.lock(-journal)?$|^network-/.test(entry.name),
    );
    return files.map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
