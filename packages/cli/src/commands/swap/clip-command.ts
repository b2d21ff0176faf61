import { type ClipFormat, type ClipOutputFormat, clipOutputFormatOf } from '@guise/contract/formats.ts';
import path from 'node:path';
import { CLIP_RESTORE, VIDEO_QUALITIES } from '@guise/contract/ai-tasks/forms.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { EngineInfo, SwapPersonsJob } from '@guise/engine-host/protocol/engine-job.ts';
import type { RestoreOptions, VideoSize } from '@guise/contract/work.ts';
import { withProgress } from '../../console/progress-bar.ts';
import { chosenNetworks, engineOf, onProviders } from '../../setup/chosen-networks.ts';
import { writeOutput } from '../../setup/output-file.ts';
import { videoHardware } from '../../setup/video-hardware.ts';
import { watermarkOfFiles } from '../../setup/watermark.ts';
import { MAX_PIXELS, withEngine } from '../../setup/with-engine.ts';
import { describeWarnings, type FileWarning } from './file-warnings.ts';
import { labelOf, partOption, restoreOf, type SwapOptions } from './swap-options.ts';

/**
 * Returns the container for the output's file name.
 * @throws Error if there is none, or the input cannot be converted to it
 */
function outputContainer(output: string, input: ClipFormat): ClipOutputFormat {
  const container = clipOutputFormatOf(output);
  if (container === undefined) throw new Error(`${output} must end in .mp4, .webm, .mov or .gif.`);
  if (input === 'gif' && container !== 'gif') throw new Error('A GIF can only become a GIF.');
  return container;
}

/** Returns the largest size of the output. */
function outputSize(container: ClipOutputFormat, { quality }: SwapOptions): VideoSize {
  return container === 'gif' ? {} : { maxShortSide: VIDEO_QUALITIES[quality ?? '1080p'] };
}

/** Rounds the times of a swap's steps to whole milliseconds. */
export function roundedTimings(timingsMs: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(timingsMs).map(([step, ms]) => [step, Math.round(ms)]));
}

/** Inputs for the swap of a clip. */
export interface ClipSwap {
  readonly engine: EngineProcess;
  /** What the jobs of all swaps of clips share. */
  readonly job: Omit<SwapPersonsJob, 'kind' | 'mappings' | 'sources'>;
  readonly control: { readonly onProgress: (progress: number) => void; readonly drawnBy: EngineInfo };
  readonly restore: RestoreOptions;
  readonly label: boolean;
}

/**
 * Swaps a clip, shows a progress bar, and prints the receipt or the text of `describe`.
 * @param files photos and clip whose watermarks the output keeps
 */
export async function runClipSwap<R>(
  { target, input, files }: { readonly target: string; readonly input: ClipFormat; readonly files: string[] },
  options: SwapOptions,
  swap: (clip: ClipSwap) => Promise<R & { readonly warnings: readonly FileWarning[] }>,
  describe: (receipt: R) => string,
): Promise<void> {
  const container = outputContainer(options.output, input);
  const networks = await chosenNetworks(options);
  const restore = restoreOf(options, CLIP_RESTORE);
  const label = labelOf(options);
  const receipt = await writeOutput(options, async (made, workspace) => {
    const part = await partOption(target, options, workspace);
    return withProgress((onProgress) =>
      withEngine(workspace, async (engine) => {
        const drawnBy = await engineOf(engine, networks);
        const job = {
          targetPath: path.resolve(target),
          outputPath: made,
          watermark: await watermarkOfFiles(files),
          container,
          hardware: await videoHardware(engine),
          options: { restore, label, size: outputSize(container, options), part },
          maxPixels: MAX_PIXELS,
          networks: await onProviders(engine, networks),
        };
        return swap({ engine, job, control: { onProgress, drawnBy }, restore, label });
      }),
    );
  });
  process.stdout.write(
    options.json
      ? `${JSON.stringify(receipt, null, 2)}\n`
      : `${describe(receipt)}${describeWarnings(receipt.warnings)}`,
  );
}
