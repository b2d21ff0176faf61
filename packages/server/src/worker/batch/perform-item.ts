import type { JobControl } from '@guise/engine-host/parent/engine-process.ts';
import type { PartRun } from '../work/part-run.ts';
import { type MadeStill, storeStill, type SwappedStill, swapStill } from '../work/make-still.ts';
import type { PendingOutput } from '../work/pending-output.ts';
import type { SlotOptions } from '../work/worker-options.ts';
import type { ItemWork } from './item-work.ts';
import { noteItem } from '../work/shared-source-analysis.ts';
import type { SharedOfItems } from '../work/shared-work.ts';

/** Performs an item of a batch that any worker may lead. */
export async function performItem(partRun: PartRun, options: SlotOptions): Promise<MadeStill> {
  const work = partRun.part.work as ItemWork;
  const output = partRun.newOutput();
  const swapped =
    work.shared === undefined
      ? await swapItem(work, output, partRun, options)
      : await options.sharedWork.use(partRun.part.taskId, work[work.shared], (shared) =>
          swapSharing(work, shared, output, partRun, options),
        );
  partRun.leave();
  return storeStill(swapped, output);
}

async function swapSharing(
  work: ItemWork,
  { input, analysis }: SharedOfItems,
  output: PendingOutput,
  partRun: PartRun,
  options: SlotOptions,
): Promise<SwappedStill> {
  const isKnown = noteItem(options.engine, partRun.part.taskId);
  const sharing = work.shared === 'source' ? analysis.controlFor(isKnown) : {};
  const name = work.shared as 'source' | 'target';
  const here = { ...work, [name]: { ...work[name], ...input } };
  try {
    return await swapItem(here, output, partRun, options, sharing);
  } finally {
    // If the item failed before the analysis, the items that wait for the analysis now analyse the
    // source themselves.
    sharing.onSourceAnalysis?.(null);
  }
}

function swapItem(
  { shared, ...work }: ItemWork,
  output: PendingOutput,
  { part, signal, leave }: PartRun,
  options: SlotOptions,
  sharing: Pick<JobControl, 'onSourceAnalysis' | 'sourceAnalysis'> = {},
): Promise<SwappedStill> {
  return swapStill({ kind: 'swap-image', ...work }, options.engine, output, options, {
    signal,
    ...sharing,
    shared,
    ...(part.isSuspect ? {} : { onWriting: leave }),
  });
}
