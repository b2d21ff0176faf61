import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import type { File } from './client.ts';
import { body, face } from './photo-setup.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-persons-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Size of the clip of two people. */
export const PAIR = { width: 560, height: 300, framesPerSecond: 5 };
/** Where each of the two is: the first is whom a swap without a mapping is about. */
export const PLACES = [
  { x: 20, y: 24, side: 256 },
  { x: 350, y: 60, side: 180 },
] as const;

/** The face of the figure among the samples, cut out. */
async function secondFace(): Promise<Buffer> {
  return sharp(body)
    .extract({ left: 490, top: 5, width: 200, height: 200 })
    .resize(PLACES[1].side, PLACES[1].side)
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** Two computer-generated people side by side, still. */
export async function pairClip(frames: number): Promise<File> {
  const av = (await loadNodeAv())!;
  const { width, height, framesPerSecond } = PAIR;
  const plain = path.join(folder, `plain-${frames}.mp4`);
  const file = path.join(folder, `pair-${frames}.mp4`);
  const ticks = Array.from({ length: frames }, (_, k) => 12 * k);
  await makeClip(av, plain, {
    container: 'mp4',
    width,
    height,
    ticks,
    timeBase: { num: 1, den: 12 * framesPerSecond },
  });
  const [large, small] = [await sharp(face).removeAlpha().raw().toBuffer(), await secondFace()];
  await processVideo({
    inputPath: plain,
    outputPath: file,
    container: 'mp4',
    onFrame(frame) {
      for (const [k, data] of [large, small].entries()) {
        const { x, y, side } = PLACES[k]!;
        frame.commitRgb({ x, y, width: side, height: side }, { data, width: side, height: side });
      }
    },
  });
  return { bytes: await readFile(file), name: 'pair.mp4', type: 'video/mp4' };
}
