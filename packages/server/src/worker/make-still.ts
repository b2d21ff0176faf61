import type { StoredInput, StoredOutput, SwapGroupOrder, SwapImageOrder } from '../tasks/task.ts';
import type { EngineInfo, OnProgress, StillOutcome } from './engine-job.ts';
import type { EngineProcess } from './engine-process.ts';
import type { PendingOutput } from './pending-output.ts';
import { type LocalInput, withInputs } from './with-inputs.ts';
import type { WorkerOptions } from './worker-options.ts';

export interface StillControl {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Other stills made on this engine have this file in common. */
  readonly shared?: 'source' | 'target';
}

/** A still on the scratch: its engine is free for the next one. */
export interface SwappedStill {
  readonly outcome: StillOutcome;
  readonly engine: EngineInfo;
}

export interface MadeStill extends Pick<StillOutcome, 'facesFound' | 'identitySimilarity'> {
  readonly output: Omit<StoredOutput, 'index'>;
  readonly engine: EngineInfo;
}

/** One photo, or one item of a batch, whose target may have been fetched. */
export interface ImageOrder extends Omit<SwapImageOrder, 'target'> {
  readonly target: StoredInput | LocalInput;
}

/** One picture from the uploads to the scratch. @throws what `EngineProcess.run` throws. */
export async function swapStill(
  order: ImageOrder | SwapGroupOrder,
  engine: EngineProcess,
  output: PendingOutput,
  options: WorkerOptions,
  control: StillControl,
): Promise<SwappedStill> {
  const info = await engine.whenReady();
  return { outcome: await swap(order, engine, output.scratchPath, options, control), engine: info };
}

/** And from there to the store. */
export async function storeStill(
  { outcome, engine }: SwappedStill,
  output: PendingOutput,
): Promise<MadeStill> {
  const { contentType, width, height, sizeBytes, sha256, facesFound, identitySimilarity } = outcome;
  const stored = await output.store(contentType);
  return {
    output: { ...stored, contentType, width, height, sizeBytes, sha256 },
    facesFound,
    identitySimilarity,
    engine,
  };
}

function swap(
  order: ImageOrder | SwapGroupOrder,
  engine: EngineProcess,
  outputPath: string,
  { storage, settings: { maxPixels } }: WorkerOptions,
  { shared, ...control }: StillControl,
): Promise<StillOutcome> {
  const { restore } = order;
  if (order.kind === 'swap-image') {
    return withInputs(storage, [order.source, order.target], ([sourcePath, targetPath]) =>
      engine.run(
        {
          kind: 'swap-image',
          sourcePath: sourcePath!,
          targetPath: targetPath!,
          outputPath,
          restore,
          maxPixels,
          ...(order.faceIndex === undefined ? {} : { faceIndex: order.faceIndex }),
          ...(order.output?.format === undefined ? {} : { outputFormat: order.output.format }),
          ...(order.output?.maxLongSide === undefined ? {} : { maxLongSide: order.output.maxLongSide }),
          ...(shared === undefined ? {} : { shared }),
        },
        control,
      ),
    );
  }
  const sources = order.replacements.map(({ source }) => source);
  return withInputs(storage, [order.target, ...sources], ([targetPath, ...sourcePaths]) =>
    engine.run(
      {
        kind: 'swap-group',
        targetPath: targetPath!,
        outputPath,
        replacements: order.replacements.map(({ source, box }, at) => ({
          name: source.field,
          sourcePath: sourcePaths[at]!,
          box,
        })),
        restore,
        maxPixels,
      },
      control,
    ),
  );
}
