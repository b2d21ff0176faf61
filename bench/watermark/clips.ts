import { readdirSync } from 'node:fs';
import path from 'node:path';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import type { MediaFrame } from '@guise/media/video/video-types.ts';
import { readWatermark } from '@guise/media/watermark/read-watermark.ts';
import { watermarkFrames } from '@guise/media/watermark/watermark-frames.ts';
import { fixture } from '../../scripts/fixtures.ts';
import { round } from '../report/figures.ts';
import { compress, RATE_FACTORS } from './ffmpeg.ts';
import { randomId } from './random.ts';

/** Part of each clip that is marked, seconds. */
const SECONDS = 4;
/** Number of a clip's frames that are marked to measure the time of it. */
const TIMED_FRAMES = 100;
/** Only every so many pixels count for the second difference. */
const PIXEL_STEP = 7;

interface Row {
  readonly size: string;
  /** Whether the mark is read in the file as guise writes it, and after each rate factor. */
  readonly read: Readonly<Record<string, boolean>>;
  /** Second difference in time of the marked clip, over that of the same clip unmarked. */
  readonly flicker: number;
  /** CPU time of marking a frame, milliseconds. */
  readonly frameMs: number;
}

/** Marks moving clips of the fixtures, compresses them again, and reads the marks back. */
export async function benchClips(folder: string): Promise<object> {
  const rows: Record<string, Row> = {};
  for (const file of readdirSync(fixture('video')))
    rows[file] = await benchClip(fixture(`video/${file}`), folder);
  const all = Object.values(rows);
  const names = Object.keys(all[0]!.read);
  return {
    clips: rows,
    shares: Object.fromEntries(
      names.map((name) => [name, round(all.filter(({ read }) => read[name]).length / all.length)]),
    ),
  };
}

async function benchClip(inputPath: string, folder: string): Promise<Row> {
  const [plain, marked, again] = ['plain.mp4', 'marked.mp4', 'again.mp4'].map((name) =>
    path.join(folder, name),
  );
  const id = Buffer.from(randomId()).toString('hex');
  const write = (
    outputPath: string,
    onFrame: (frame: MediaFrame) => Promise<void>,
  ): ReturnType<typeof processVideo> =>
    processVideo({
      inputPath,
      outputPath,
      container: 'mp4',
      part: { startSeconds: 0, endSeconds: SECONDS },
      onFrame,
    });
  await write(plain!, () => Promise.resolve());
  let size = '';
  let frameMs = 0;
  let frames = 0;
  const mark = watermarkFrames(id, () => Promise.resolve());
  await write(marked!, async (frame) => {
    size = `${frame.width} x ${frame.height}`;
    const since = process.threadCpuUsage();
    await mark(frame);
    const { user, system } = process.threadCpuUsage(since);
    // The first frame makes the levels of all.
    if (frames++ > 0 && frames <= TIMED_FRAMES) frameMs += (user + system) / 1000;
  });
  const isRead = async (file: string): Promise<boolean> =>
    (await readWatermark(file, 'video/mp4'))?.id === id;
  const read: Record<string, boolean> = { 'as it is': await isRead(marked!) };
  for (const rateFactor of RATE_FACTORS)
    if (await compress(marked!, again!, rateFactor)) read[`H.264 crf ${rateFactor}`] = await isRead(again!);
  const flicker = (await secondDifference(marked!)) / (await secondDifference(plain!));
  return {
    size,
    read,
    flicker: round(flicker),
    frameMs: round(frameMs / Math.min(TIMED_FRAMES, frames - 1)),
  };
}

/** Returns the mean second difference in time of a clip's light, levels. */
async function secondDifference(clip: string): Promise<number> {
  const last: Uint8Array[] = [];
  let [sum, count] = [0, 0];
  await scanVideo(clip, (frame) => {
    const { data, stride, width, height } = frame.luma();
    const light = new Uint8Array(Math.ceil((width * height) / PIXEL_STEP));
    for (let k = 0; k < light.length; k++) {
      const pixel = k * PIXEL_STEP;
      light[k] = data[Math.floor(pixel / width) * stride + (pixel % width)]!;
    }
    const [before, between] = last;
    if (before !== undefined && between !== undefined) {
      for (let k = 0; k < light.length; k++) sum += Math.abs(before[k]! - 2 * between[k]! + light[k]!);
      count += light.length;
    }
    if (last.push(light) > 2) last.shift();
    return Promise.resolve();
  });
  return sum / count;
}
