import path from 'node:path';
import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import type { StillFormat } from '@guise/contract/formats.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { SwapImageOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import { additionalSourceFiles, receiptOfSources } from '../../setup/additional-sources.ts';
import { chosenNetworks, engineOf, onProviders } from '../../setup/chosen-networks.ts';
import { requireReadable } from '../../setup/output-file.ts';
import { MAX_PIXELS } from '../../setup/with-engine.ts';
import { watermarkOfFiles } from '../../setup/watermark.ts';
import { fileWarnings } from './file-warnings.ts';
import { labelOf, restoreOf, type SwapOptions } from './swap-options.ts';

/** A photo to change, and where its result goes. */
export interface PhotoTarget {
  readonly target: string;
  /** Path of the result, for the receipt. */
  readonly output: string;
  /** Path of the file to write. */
  readonly made: string;
  readonly format: StillFormat;
}

/**
 * Checks the photos of the source, and returns a function that puts its face onto a photo and
 * returns the receipt.
 */
export async function preparePhotoSwap(source: string, options: SwapOptions) {
  await requireReadable(source);
  const additionalSources = await additionalSourceFiles(options.source);
  const restore = restoreOf(options, STILL_RESTORE);
  const label = labelOf(options);
  const chosen = await chosenNetworks(options);
  let networks: ReturnType<typeof onProviders> | undefined;
  return async (
    engine: EngineProcess,
    { target, output, made, format }: PhotoTarget,
    onProgress: (progress: number) => void,
  ) => {
    const drawnBy = await engineOf(engine, chosen);
    const outcome = await engine.run(
      {
        kind: 'swap-image',
        sourcePath: path.resolve(source),
        additionalSources,
        targetPath: path.resolve(target),
        outputPath: made,
        watermark: await watermarkOfFiles([source, ...(options.source ?? []), target]),
        options: { restore, label, faceIndex: options.face, output: { format } },
        maxPixels: MAX_PIXELS,
        networks: await (networks ??= onProviders(engine, chosen)),
      },
      { onProgress, drawnBy },
    );
    return {
      ...swapReceipt(output, restore, outcome, drawnBy),
      label,
      ...receiptOfSources([source, ...(options.source ?? [])], outcome.sourceShares),
      warnings: fileWarnings(outcome.swapped, { source, target }),
    };
  };
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
  return (
    `Swapped ${faces} and wrote ${receipt.output} (${receipt.width} x ${receipt.height}, ` +
    `${Math.ceil(receipt.bytes / 1024)} KiB) in ${Math.round(receipt.timingsMs.total ?? 0)} ms.${likenessOf(receipt)}\n`
  );
}

/** Returns the sentence on the likeness, with a space before it; empty if it was not measured. */
export function likenessOf({ identitySimilarity }: Pick<SwapImageOutcome, 'identitySimilarity'>): string {
  return identitySimilarity === null ? '' : ` Likeness to the source: ${identitySimilarity.toFixed(2)}.`;
}
