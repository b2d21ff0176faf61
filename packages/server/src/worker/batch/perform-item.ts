import { MAX_ENGINE_DEATHS } from '../../tasks/return-task.ts';
import { type BatchRun, dropFetched, type OpenItem } from './batch-run.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { EngineDied } from '@guise/engine-host/parent/engine-died.ts';
import { type MadeStill, storeStill, type SwappedStill, swapStill } from '../work/make-still.ts';
import type { PendingOutput } from '../work/pending-output.ts';

/**
 * Performs an item of a batch, whose target is on this machine, until it is delivered or has
 * failed.
 * @param leave called, perhaps twice, when the engine is free for another item
 * @returns false if its engine died and the item should be tried again
 * @throws failures of the task, not of the item
 */
export async function performItem(
  batch: BatchRun,
  item: OpenItem,
  engine: EngineProcess,
  leave: () => void,
): Promise<boolean> {
  const { signal } = batch.taskRun;
  const output = batch.taskRun.newOutput();
  let swapped: SwappedStill;
  try {
    swapped = await swapItem(batch, item, engine, output, leave);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineDied && mayTryAgain(batch, item, error)) return false;
    await output.discardUnlessOffered();
    await batch.failed(item, error);
    return true;
  }
  leave();
  await dropFetched(item);
  let stored: MadeStill;
  try {
    stored = await storeStill(swapped, output);
  } catch (error) {
    signal.throwIfAborted();
    await output.discardUnlessOffered();
    await batch.failed(item, error);
    return true;
  }
  await batch.delivered(item, stored);
  return true;
}

async function swapItem(
  { order, taskRun, options, shares, sourceAnalysis }: BatchRun,
  { source, target, fetched, isSuspect }: OpenItem,
  engine: EngineProcess,
  output: PendingOutput,
  leave: () => void,
): Promise<SwappedStill> {
  const sharing = sourceAnalysis?.controlFor(engine);
  try {
    return await swapStill(
      {
        kind: 'swap-image',
        source,
        target: 'url' in target ? { ...fetched!, field: target.field } : target,
        restore: order.restore,
        ...(order.output === undefined ? {} : { output: order.output }),
      },
      engine,
      output,
      options,
      { signal: taskRun.signal, ...shares, ...sharing, ...(isSuspect ? {} : { onWriting: leave }) },
    );
  } finally {
    // Without an analysis by now, the items that wait for it analyse the source themselves.
    sharing?.onSourceAnalysis?.(null);
  }
}

function mayTryAgain({ taskRun, options }: BatchRun, item: OpenItem, error: EngineDied): boolean {
  const { id: taskId } = taskRun.task;
  options.log.error({ err: error, taskId, item: item.index }, 'the engine died on an item of a batch');
  if (error.wasAlone) item.engineDeaths += 1;
  else item.isSuspect = true;
  return item.engineDeaths < MAX_ENGINE_DEATHS;
}
