import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { SwapVideoReceipt } from '@guise/engine/pipeline/swap-video.ts';
import { processVideo } from '@guise/media/video/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { fixture } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';

const STRENGTH = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };

/** Swaps a clip as a worker does, without signing. `source`: name of a fixture. */
export async function swapClip(
  engine: Engine,
  source: string,
  inputPath: string,
  outputPath: string,
  maxShortSide: number,
): Promise<SwapVideoReceipt> {
  const image = await readRgb(fixture(source), { longest: 1200 });
  const run = await engine.openVideoSwap({ targetName: 'target video', source: image, ...STRENGTH });
  await scanVideo({ inputPath, maxShortSide, everySeconds: 0, onFrame: (frame) => run.look(frame) });
  run.choose();
  await processVideo({
    inputPath,
    outputPath,
    container: 'mp4',
    maxShortSide,
    onFrame: (frame) => run.draw(frame),
  });
  return run.receipt();
}
