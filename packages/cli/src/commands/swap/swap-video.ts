import type { ClipFormat } from '@guise/contract/formats.ts';
import path from 'node:path';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { SwapVideoOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import { additionalSourceFiles, receiptOfSources } from '../../setup/additional-sources.ts';
import { requireReadable } from '../../setup/output-file.ts';
import { roundedTimings, runClipSwap } from './clip-command.ts';
import { fileWarnings } from './file-warnings.ts';
import { likenessOf } from './photo-swap.ts';
import type { SwapOptions } from './swap-options.ts';

/** Replaces the face of the main person in a video or GIF by the face in SOURCE. */
export async function swapVideo(
  source: string,
  target: string,
  input: ClipFormat,
  options: SwapOptions,
): Promise<void> {
  if (options.face !== undefined)
    throw new Error('--face works for photos only. To choose people in a video, use --map.');
  await requireReadable(source);
  const additionalSources = await additionalSourceFiles(options.source);
  const photos = [source, ...(options.source ?? [])];
  await runClipSwap(
    { target, input, files: [...photos, target] },
    options,
    async ({ engine, job, control, restore, label }) => {
      const sourcePath = path.resolve(source);
      const outcome = await engine.run(
        { kind: 'swap-video', ...job, sourcePath, additionalSources },
        control,
      );
      return {
        ...videoReceipt(options.output, restore, outcome, control.drawnBy),
        label,
        ...receiptOfSources(photos, outcome.sourceShares),
        warnings: fileWarnings(outcome.swapped, { source, target }),
      };
    },
    describe,
  );
}

type VideoReceipt = ReturnType<typeof videoReceipt>;

function videoReceipt(
  output: string,
  restore: RestoreOptions,
  outcome: SwapVideoOutcome,
  engine: { readonly name: string; readonly version: string },
) {
  const { sizeBytes, timingsMs, sourceShares: _shares, swapped: _faces, ...rest } = outcome;
  const framesPerSecond = Math.round((10_000 * outcome.frames.total) / (timingsMs.total ?? 1)) / 10;
  return {
    output,
    ...restore,
    ...rest,
    bytes: sizeBytes,
    engine,
    framesPerSecond,
    timingsMs: roundedTimings(timingsMs),
  };
}

function describe(receipt: VideoReceipt): string {
  const { total, swapped } = receipt.frames;
  return (
    `Swapped ${swapped === total ? `all ${total}` : `${swapped} of ${total}`} frames and wrote ${receipt.output} ` +
    `(${receipt.width} x ${receipt.height}, ${receipt.durationSeconds.toFixed(1)} s, ` +
    `${Math.ceil(receipt.bytes / 1024)} KiB), ${receipt.framesPerSecond} frames/s.${likenessOf(receipt)}\n`
  );
}
