import type { TaskResult, SwapGroupOrder, SwapImageOrder } from '../tasks/task.ts';
import { storeStill, swapStill } from './work/make-still.ts';
import type { TaskRun } from './work/task-run.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Performs a photo or group photo, which has one output. */
export async function performStill(
  order: SwapImageOrder | SwapGroupOrder,
  taskRun: TaskRun,
  options: SlotOptions,
): Promise<TaskResult> {
  const output = taskRun.newOutput();
  const still = await storeStill(await swapStill(order, options.engine, output, options, taskRun), output);
  return {
    outputs: [{ index: 0, ...still.output }],
    failures: [],
    receipt: {
      facesFound: still.facesFound,
      frames: { total: 1, swapped: 1, passedThrough: 0 },
      longestGapFrames: 0,
      engine: still.engine,
      identitySimilarity: still.identitySimilarity,
      ...(still.sourceShares === undefined ? {} : { sourceShares: still.sourceShares }),
      ...still.marks,
      warnings: still.warnings,
      credits: 0,
    },
  };
}
