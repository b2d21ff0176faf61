import type { Receipt, StoredOutput, SwapGroupOrder, SwapImageOrder } from '../../tasks/task.ts';
import type { EngineInfo, StillOutcome, SwapImageOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import type { EngineProcess, JobControl } from '@guise/engine-host/parent/engine-process.ts';
import { drawnBy } from '../../networks/drawn-by.ts';
import { receiptOfMarks } from './marks.ts';
import type { PendingOutput } from './pending-output.ts';
import { warnOfSwap } from '@guise/contract/warnings.ts';
import { additionalSourceFiles, filesOfSources, photosOf, receiptOfSources } from './source-files.ts';
import { type LocalInput, type RestingInput, withInputs } from './with-inputs.ts';
import type { CheckedPhoto } from '../blocked/blocked-faces.ts';
import type { WorkerOptions } from './worker-options.ts';

export interface StillControl extends JobControl {
  readonly signal: AbortSignal;
  /** File that this still shares with other stills of the same engine. */
  readonly shared?: 'source' | 'target';
}

/** Swapped still in a scratch folder. Its engine is free for other work. */
export interface SwappedStill {
  readonly outcome: StillOutcome;
  /** Shares of the source photos, if there are several. */
  readonly sourceShares?: Receipt['sourceShares'];
  readonly warnings: NonNullable<Receipt['warnings']>;
  readonly marks: Pick<Receipt, 'label' | 'watermark'>;
  readonly engine: EngineInfo;
}

export interface MadeStill
  extends
    Pick<Receipt, 'facesFound' | 'identitySimilarity' | 'sourceShares'>,
    Pick<SwappedStill, 'warnings' | 'marks'> {
  readonly output: Omit<StoredOutput, 'index'>;
  readonly engine: EngineInfo;
}

/** File of an order, in storage or already on this machine. */
type StillInput = RestingInput | (LocalInput & Pick<RestingInput, 'field'>);

/** Order for one photo or one item of a batch. */
export interface ImageOrder extends Omit<SwapImageOrder, 'source' | 'target'> {
  readonly source: StillInput;
  readonly target: StillInput;
}

/** Swaps one picture and writes it to a scratch file. @throws what `EngineProcess.run` throws. */
export async function swapStill(
  order: ImageOrder | SwapGroupOrder,
  engine: EngineProcess,
  output: PendingOutput,
  options: WorkerOptions,
  control: StillControl,
): Promise<SwappedStill> {
  const info = drawnBy(await engine.whenReady(), order.networks?.swapper);
  const outcome = await swap(order, engine, output, options, { ...control, drawnBy: info });
  const sources =
    order.kind === 'swap-image' && 'sourceShares' in outcome
      ? receiptOfSources(order, outcome.sourceShares)
      : {};
  const fields = fieldsOf(order);
  const warnings = outcome.swapped.flatMap((faces, at) => warnOfSwap(faces, fields[at]!));
  return { outcome, ...sources, warnings, marks: receiptOfMarks(order, options.settings), engine: info };
}

function fieldsOf(order: ImageOrder | SwapGroupOrder): Parameters<typeof warnOfSwap>[1][] {
  return order.kind === 'swap-image'
    ? [{ source: order.source.field, target: order.target.field }]
    : order.replacements.map(({ source, box }) => ({ source: source.field, target: box.name }));
}

/** Lists the photos of a still for the blocklist. @param target among the inputs */
function checkedPhotos(
  inputs: readonly { readonly field: string }[],
  paths: readonly string[],
  target: { readonly field: string },
): CheckedPhoto[] {
  return inputs.map((input, at) => ({
    field: input.field,
    path: paths[at]!,
    whose: input === target ? 'all' : 'largest',
  }));
}

/** Moves a swapped still from the scratch folder to storage. */
export async function storeStill(
  { outcome, engine, ...sources }: SwappedStill,
  output: PendingOutput,
): Promise<MadeStill> {
  const { contentType, width, height, sizeBytes, sha256, facesFound, identitySimilarity } = outcome;
  const stored = await output.store(outcome);
  return {
    output: { ...stored, contentType, width, height, sizeBytes, sha256 },
    facesFound,
    identitySimilarity,
    ...sources,
    engine,
  };
}

async function swap(
  order: ImageOrder | SwapGroupOrder,
  engine: EngineProcess,
  { scratchPath: outputPath, watermark, taskId }: PendingOutput,
  { storage, networks: held, settings: { maxPixels }, blockedFaces }: WorkerOptions,
  { shared, ...control }: StillControl,
): Promise<StillOutcome | SwapImageOutcome> {
  const networks = await held.filesOf(order.networks);
  if (order.kind === 'swap-image') {
    const { kind, source, target, additionalSources = [], networks: _needed, ...wishes } = order;
    const inputs = [source, target, ...additionalSources];
    return withInputs(storage, inputs, async (paths) => {
      const [sourcePath, targetPath, ...additional] = paths;
      await blockedFaces?.refusePhotos(taskId, checkedPhotos(inputs, paths, target), engine, control.signal);
      return engine.run(
        {
          kind,
          sourcePath: sourcePath!,
          targetPath: targetPath!,
          additionalSources: additionalSourceFiles(order, additional),
          outputPath,
          watermark,
          options: wishes,
          shared,
          maxPixels,
          networks,
        },
        control,
      );
    });
  }
  const photos = photosOf(order.replacements);
  const inputs = [order.target, ...photos];
  return withInputs(storage, inputs, async (paths) => {
    const [targetPath, ...sourcePaths] = paths;
    const sources = filesOfSources(order.replacements, sourcePaths);
    await blockedFaces?.refusePhotos(
      taskId,
      checkedPhotos(inputs, paths, order.target),
      engine,
      control.signal,
    );
    return engine.run(
      {
        kind: 'swap-group',
        targetPath: targetPath!,
        outputPath,
        watermark,
        replacements: order.replacements.map(({ source, box }, at) => ({
          name: source.field,
          sourcePath: sources[at]!.path,
          additionalSources: sources[at]!.additional,
          box,
        })),
        options: { restore: order.restore, label: order.label },
        maxPixels,
        networks,
      },
      control,
    );
  });
}
