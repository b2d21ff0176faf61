import type { ClipFormat } from '@guise/contract/formats.ts';
import path from 'node:path';
import { CLIP_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { SwapVideoOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import { additionalSourceFiles, receiptOfSources } from '../../setup/additional-sources.ts';
import { chosenNetworks, engineOf, onProviders } from '../../setup/chosen-networks.ts';
import { requireReadable } from '../../setup/output-file.ts';
import { MAX_PIXELS } from '../../setup/with-engine.ts';
import { outputContainer, outputSize, roundedTimings, runClipSwap } from './clip-command.ts';
import { fileWarnings } from './file-warnings.ts';
import { videoHardware } from '../../setup/video-hardware.ts';
import { watermarkOfFiles } from '../../setup/watermark.ts';
import { labelOf, restoreOf, type SwapOptions } from './swap-options.ts';

/** Replaces the face of the main person in a video or GIF by the face in SOURCE. */
export async function swapVideo(
  source: string,
  target: string,
  input: ClipFormat,
  options: SwapOptions,
): Promise<void> {
  const container = outputContainer(options.output, input);
  const networks = await chosenNetworks(options);
  if (options.face !== undefined)
    throw new Error('--face works for photos only. To choose people in a video, use --map.');
  await requireReadable(source);
  const additionalSources = await additionalSourceFiles(options.source);
  const restore = restoreOf(options, CLIP_RESTORE);
  const label = labelOf(options);
  await runClipSwap(
    target,
    options,
    async ({ engine, made, part, onProgress }) => {
      const drawnBy = await engineOf(engine, networks);
      const outcome = await engine.run(
        {
          kind: 'swap-video',
          sourcePath: path.resolve(source),
          additionalSources,
          targetPath: path.resolve(target),
          outputPath: made,
          watermark: await watermarkOfFiles([source, ...(options.source ?? []), target]),
          container,
          hardware: await videoHardware(engine),
          options: { restore, label, size: outputSize(container, options), part },
          maxPixels: MAX_PIXELS,
          networks: await onProviders(engine, networks),
        },
        { onProgress, drawnBy },
      );
      return {
        ...videoReceipt(options.output, restore, outcome, drawnBy),
        label,
        ...receiptOfSources([source, ...(options.source ?? [])], outcome.sourceShares),
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
  const likeness =
    receipt.identitySimilarity === null
      ? ''
      : ` Likeness to the source: ${receipt.identitySimilarity.toFixed(2)}.`;
  return (
    `Swapped ${swapped === total ? `all ${total}` : `${swapped} of ${total}`} frames and wrote ${receipt.output} ` +
    `(${receipt.width} x ${receipt.height}, ${receipt.durationSeconds.toFixed(1)} s, ` +
    `${Math.ceil(receipt.bytes / 1024)} KiB), ${receipt.framesPerSecond} frames/s.${likeness}\n`
  );
}
