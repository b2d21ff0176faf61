import { clipOutputFormatOf, stillFormatOf } from '@guise/contract/formats.ts';
import path from 'node:path';
import { clipFormatList } from '@guise/contract/ai-tasks/form.ts';
import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { TARGET_VIDEO_FORMATS } from '@guise/contract/v1/values.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { SwapImageOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import { additionalSourceFiles, receiptOfSources } from '../setup/additional-sources.ts';
import { requireOutput, requireReadable, writeOutput } from '../setup/output-file.ts';
import { MAX_PIXELS, withEngine } from '../setup/with-engine.ts';
import { containerOf } from './container-of.ts';
import { describeWarnings, fileWarnings } from './file-warnings.ts';
import { restoreOf, type SwapOptions } from './swap-options.ts';
import { swapVideo } from './swap-video.ts';

export async function swap(source: string, target: string, options: SwapOptions): Promise<void> {
  await requireOutput(options, [source, target, ...(options.source ?? [])]);
  await requireReadable(target);
  const container = await containerOf(target);
  // The output's extension decides whether a GIF becomes a GIF or a still.
  const format = stillFormatOf(options.output);
  if (container !== null && !(container === 'gif' && format !== undefined))
    return swapVideo(source, target, container, options);
  if (options.start !== undefined || options.end !== undefined)
    throw new Error('--start and --end are for videos and GIFs.');
  if (clipOutputFormatOf(options.output) !== undefined)
    throw new Error(`${target} is neither a video in ${clipFormatList(TARGET_VIDEO_FORMATS)} nor a GIF.`);
  if (format === undefined) {
    throw new Error(`${options.output} must end in .png, .jpg, .jpeg or .webp.`);
  }
  await requireReadable(source);
  const additionalSources = await additionalSourceFiles(options.source);
  const restore = restoreOf(options, STILL_RESTORE);
  const receipt = await writeOutput(options, (made, workspace) =>
    withEngine(workspace, async (engine) => {
      const outcome = await engine.run({
        kind: 'swap-image',
        sourcePath: path.resolve(source),
        additionalSources,
        targetPath: path.resolve(target),
        outputPath: made,
        options: { restore, faceIndex: options.face, output: { format } },
        maxPixels: MAX_PIXELS,
      });
      return {
        ...swapReceipt(options.output, restore, outcome, await engine.whenReady()),
        ...receiptOfSources([source, ...(options.source ?? [])], outcome.sourceShares),
        warnings: fileWarnings(outcome.swapped, { source, target }),
      };
    }),
  );
  process.stdout.write(
    options.json
      ? `${JSON.stringify(receipt, null, 2)}\n`
      : `${describeSwap(receipt)}${describeWarnings(receipt.warnings)}`,
  );
}

type SwapReceipt = ReturnType<typeof swapReceipt>;

export function swapReceipt(
  output: string,
  restore: RestoreOptions,
  outcome: SwapImageOutcome,
  engine: { readonly name: string; readonly version: string },
) {
  const { sizeBytes, timingsMs, sourceShares: _shares, swapped: _faces, ...rest } = outcome;
  const rounded = Object.fromEntries(
    Object.entries(timingsMs).map(([step, ms]) => [step, Math.round(ms * 10) / 10]),
  );
  return { output, ...restore, ...rest, bytes: sizeBytes, engine, timingsMs: rounded };
}

export function describeSwap(receipt: SwapReceipt): string {
  const faces =
    receipt.facesFound === 1 ? 'the only face' : `face ${receipt.swappedFaceIndex} of ${receipt.facesFound}`;
  const likeness =
    receipt.identitySimilarity === null
      ? ''
      : ` Likeness to the source: ${receipt.identitySimilarity.toFixed(2)}.`;
  return (
    `Swapped ${faces} and wrote ${receipt.output} (${receipt.width} x ${receipt.height}, ` +
    `${Math.ceil(receipt.bytes / 1024)} KiB) in ${Math.round(receipt.timingsMs.total ?? 0)} ms.${likeness}\n`
  );
}
