import type { Outcome } from '../../tasks/finish-task.ts';
import type { SwapBatchOrder } from '../../tasks/task.ts';
import { BatchRun, dropFetched, type OpenItem } from './batch-run.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { performItem } from './perform-item.ts';
import { withSharedInput } from './shared-input.ts';
import { isRemote, TargetFetches } from './target-fetches.ts';
import type { TaskRun } from '../work/task-run.ts';
import type { SlotOptions } from '../work/worker-options.ts';

/**
 * Most items on their way to store and database while their engines go on; beyond it, engines wait
 * for the store.
 */
const MAX_LEAVING_ITEMS = 8;

/**
 * Performs a batch item by item, on this slot's engine and on those of idle slots. Targets given by
 * URL are fetched at the same time, and an engine goes on with the next item while the last one is
 * encoded and stored.
 * Each item is shown as soon as it is done, so that another worker can go on with the rest. An item
 * that fails, fails alone.
 */
export function performBatch(
  order: SwapBatchOrder,
  taskRun: TaskRun,
  options: SlotOptions,
): Promise<Outcome> {
  return withSharedInput(options.storage, order, (here) => performItems(here, taskRun, options));
}

async function performItems(order: SwapBatchOrder, taskRun: TaskRun, options: SlotOptions): Promise<Outcome> {
  const { engine, sharedItems, work } = options;
  const { signal } = taskRun;
  const batch = new BatchRun(order, taskRun, options);
  /** Items whose target is on this machine. */
  const waiting = batch.open.filter((item) => !isRemote(item));
  const running = new Set<Promise<void>>();
  /** Running items that their engine has left. */
  const leaving = new Set<Promise<void>>();
  /** Failures of the task rather than of an item; the first one ends the attempt. */
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const fetches = new TargetFetches(batch, waiting, onError);

  const startItem = (engineToUse: EngineProcess): Promise<void> | null => {
    const item = signal.aborted ? undefined : waiting.shift();
    if (item === undefined) return null;
    const left = Promise.withResolvers<void>();
    const leave = (): void => {
      leaving.add(run);
      left.resolve();
    };
    const run = perform(item, engineToUse, leave)
      .catch(onError)
      .finally(() => {
        running.delete(run);
        leaving.delete(run);
        left.resolve();
        fetches.start();
      });
    running.add(run);
    return left.promise.then(untilLeavingIsShort);
  };
  const perform = async (item: OpenItem, engineToUse: EngineProcess, leave: () => void): Promise<void> => {
    if (!(await performItem(batch, item, engineToUse, leave))) waiting.push(item);
  };
  const untilLeavingIsShort = async (): Promise<void> => {
    while (leaving.size >= MAX_LEAVING_ITEMS) await Promise.race(leaving);
  };
  const untilSomethingEnds = async (): Promise<void> => {
    if (running.size === 0) await fetches.untilOneEnds();
    else await Promise.race([...running, ...fetches.running]);
  };

  const withdraw = sharedItems.offer(startItem);
  work.wake('long');
  fetches.start();
  try {
    while (waiting.length + running.size + fetches.running.size > 0) {
      signal.throwIfAborted();
      await (startItem(engine) ?? untilSomethingEnds());
      if (errors.length > 0) throw errors[0];
    }
  } finally {
    withdraw();
    fetches.stop();
    await Promise.all([...running, ...fetches.running]);
    await Promise.all(batch.open.map(dropFetched));
  }
  return batch.outcome;
}
