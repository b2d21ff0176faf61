import type { Outcome } from '../tasks/finish-task.ts';
import type { SwapBatchOrder } from '../tasks/task.ts';
import { BatchRun, dropFetched, type OpenItem } from './batch-run.ts';
import type { EngineProcess } from './engine-process.ts';
import { performItem } from './perform-item.ts';
import { withSharedInput } from './shared-input.ts';
import { isRemote, TargetFetches } from './target-fetches.ts';
import type { TaskRun } from './task-run.ts';
import type { SlotOptions } from './worker-options.ts';

/**
 * Swapped and on their way to store and database, while their engines go on. A store that is away
 * holds all up.
 */
const LEAVING_AT_A_TIME = 8;

/**
 * Item by item on this slot's engine, and on those of other slots that have nothing to claim;
 * targets given by URL are fetched meanwhile, and an engine goes on with the next item while the
 * last one is encoded, written and stored. Each item is shown as soon as it is done, so that
 * whoever takes the task over goes on with the rest. An item that fails, fails alone.
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
  /** With a target at hand. */
  const waiting = batch.open.filter((item) => !isRemote(item));
  const running = new Set<Promise<void>>();
  /** Of those that run. */
  const leaving = new Set<Promise<void>>();
  /** Not of an item but of the task: the first one ends the attempt. */
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
    while (leaving.size >= LEAVING_AT_A_TIME) await Promise.race(leaving);
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
