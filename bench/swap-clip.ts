import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { swapFrames, type SwapVideoReceipt } from '@guise/engine/pipeline/swap-video.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { fixture } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';

const RESTORE = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };

/**
 * Swaps a clip in the same way as a worker, but without signing.
 * @param source name of a fixture
 */
export async function swapClip(
  engine: Engine,
  source: string,
  inputPath: string,
  outputPath: string,
  maxShortSide: number,
): Promise<SwapVideoReceipt> {
  const image = await readRgb(fixture(source), { longest: 1200 });
  const run = await engine.openVideoSwap({ targetName: 'target video', source: image, restore: RESTORE });
  await swapFrames(run, (hooks) =>
    processVideo({ inputPath, outputPath, container: 'mp4', maxShortSide, ...hooks }),
  );
  return run.receipt();
}
