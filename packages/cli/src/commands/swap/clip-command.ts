import { type ClipFormat, type ClipOutputFormat, clipOutputFormatOf } from '@guise/contract/formats.ts';
import { VIDEO_QUALITIES } from '@guise/contract/ai-tasks/forms.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { ClipPart, VideoSize } from '@guise/contract/work.ts';
import { withProgress } from '../../console/progress-bar.ts';
import { writeOutput } from '../../setup/output-file.ts';
import { withEngine } from '../../setup/with-engine.ts';
import { describeWarnings, type FileWarning } from './file-warnings.ts';
import { partOption, type SwapOptions } from './swap-options.ts';

/**
 * Returns the container for the output's file name.
 * @throws Error if there is none, or the input cannot be converted to it
 */
export function outputContainer(output: string, input: ClipFormat): ClipOutputFormat {
  const container = clipOutputFormatOf(output);
  if (container === undefined) throw new Error(`${output} must end in .mp4, .webm, .mov or .gif.`);
  if (input === 'gif' && container !== 'gif') throw new Error('A GIF can only become a GIF.');
  return container;
}

/** Returns the largest size of the output. */
export function outputSize(
  container: ClipOutputFormat,
  { quality }: Pick<SwapOptions, 'quality'>,
): VideoSize {
  return container === 'gif' ? {} : { maxShortSide: VIDEO_QUALITIES[quality ?? '1080p'] };
}

/** Rounds the times of a swap's steps to whole milliseconds. */
export function roundedTimings(timingsMs: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(timingsMs).map(([step, ms]) => [step, Math.round(ms)]));
}

/** Inputs for the swap of a clip. */
export interface ClipSwap {
  readonly engine: EngineProcess;
  /** Path of the file to write. */
  readonly made: string;
  /** Part of the clip to swap. If absent: the whole clip. */
  readonly part?: ClipPart;
  readonly onProgress: (progress: number) => void;
}

/** Swaps a clip, shows a progress bar, and prints the receipt or the text of `describe`. */
export async function runClipSwap<R>(
  target: string,
  options: SwapOptions,
  swap: (clip: ClipSwap) => Promise<R & { readonly warnings: readonly FileWarning[] }>,
  describe: (receipt: R) => string,
): Promise<void> {
  const receipt = await writeOutput(options, async (made, workspace) => {
    const part = await partOption(target, options, workspace);
    return withProgress((onProgress) =>
      withEngine(workspace, (engine) => swap({ engine, made, part, onProgress })),
    );
  });
  process.stdout.write(
    options.json
      ? `${JSON.stringify(receipt, null, 2)}\n`
      : `${describe(receipt)}${describeWarnings(receipt.warnings)}`,
  );
}
