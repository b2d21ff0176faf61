import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { loadNodeAv } from '@guise/media/video/node-av.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';

const SIDE = 256;

/** Seconds of the sample face, drifting to and fro, 320 x 280. @returns an MP4. */
export async function makeFaceClip(
  av: NonNullable<Awaited<ReturnType<typeof loadNodeAv>>>,
  face: Buffer,
  seconds = 1,
  framesPerSecond = 10,
): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-clip-'));
  try {
    const inputPath = path.join(folder, 'ground.mp4');
    // Twelve ticks a frame: an MP4's time base may not be a frame itself.
    const ticks = Array.from({ length: seconds * framesPerSecond }, (_, index) => index * 12);
    await makeClip(av, inputPath, {
      container: 'mp4',
      width: 320,
      height: 280,
      ticks,
      timeBase: { num: 1, den: framesPerSecond * 12 },
    });
    const data = await sharp(face).removeAlpha().raw().toBuffer();
    const outputPath = path.join(folder, 'face.mp4');
    await processVideo({
      inputPath,
      outputPath,
      container: 'mp4',
      onFrame(frame) {
        const x = 8 + 4 * Math.abs(10 - (frame.index % 20));
        frame.commitRgb({ x, y: 12, width: SIDE, height: SIDE }, { data, width: SIDE, height: SIDE });
      },
    });
    return await readFile(outputPath);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
