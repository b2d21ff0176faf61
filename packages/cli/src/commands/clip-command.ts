import path from 'node:path';
import { VIDEO_QUALITIES } from '@guise/contract/ai-tasks/forms.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { VideoOutput } from '@guise/engine-host/protocol/engine-job.ts';
import type { SourceContainer } from '@guise/media/video/video-types.ts';
import { ProgressBar } from '../console/progress-bar.ts';
import { withEngine } from '../setup/with-engine.ts';
import { describeWarnings, type FileWarning } from './file-warnings.ts';
import { CONTAINER_OF_EXTENSION } from './output-format.ts';
import type { SwapOptions } from './swap-options.ts';

/**
 * Tells the container that the output's name asks for.
 * @throws Error if it is none, or the input cannot become it
 */
export function outputContainer(output: string, input: SourceContainer): VideoOutput {
  const container = CONTAINER_OF_EXTENSION[path.extname(output).toLowerCase()];
  if (container === undefined) throw new Error(`${output} must end in .mp4, .webm, .mov or .gif.`);
  if (input === 'gif' && container !== 'gif') throw new Error('A GIF can only become a GIF.');
  return container;
}

/** Tells how large the output may be. */
export function outputSize(
  container: VideoOutput,
  { quality }: Pick<SwapOptions, 'quality'>,
): { maxShortSide?: number } {
  return container === 'gif' ? {} : { maxShortSide: VIDEO_QUALITIES[quality ?? '1080p'] };
}

/** Rounds what the steps of a swap took to whole milliseconds. */
export function roundedTimings(timingsMs: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(timingsMs).map(([step, ms]) => [step, Math.round(ms)]));
}

/** Swaps a clip beside a progress bar and prints its receipt, or what `describe` says of it. */
export async function runClipSwap<R>(
  { output, json }: Pick<SwapOptions, 'output' | 'json'>,
  swap: (
    engine: EngineProcess,
    onProgress: (progress: number) => void,
  ) => Promise<R & { readonly warnings: readonly FileWarning[] }>,
  describe: (receipt: R) => string,
): Promise<void> {
  await withEngine(output, async (engine) => {
    const bar = new ProgressBar(process.stderr);
    try {
      const receipt = await swap(engine, (progress) => bar.show(progress));
      bar.clear();
      process.stdout.write(
        json
          ? `${JSON.stringify(receipt, null, 2)}\n`
          : `${describe(receipt)}${describeWarnings(receipt.warnings)}`,
      );
    } finally {
      bar.clear();
    }
  });
}
