import { TaskFailure } from '@guise/contract/errors.ts';
import type { Outcome } from '../tasks/finish-task.ts';
import { MAX_ENGINE_DEATHS } from '../tasks/return-task.ts';
import type { StoredInput, SwapBatchOrder } from '../tasks/task.ts';
import { BatchResult } from './batch-result.ts';
import { EngineDied, type EngineProcess } from './engine-process.ts';
import { makeStill } from './make-still.ts';
import { asTaskFailure } from './task-failure.ts';
import type { TaskInHand } from './task-in-hand.ts';
import type { SlotOptions } from './worker-options.ts';

interface OpenItem {
  readonly index: number;
  engineDeaths: number;
}

/**
 * Item by item on this slot's engine, and on those of other slots that have nothing to claim. Each item is shown as soon
 * as it is done, so that whoever takes the task over goes on with the rest. An item that fails, fails alone.
 */
export async function performBatch(
  order: SwapBatchOrder,
  hand: TaskInHand,
  options: SlotOptions,
): Promise<Outcome> {
  const { engine, sharedItems, work, log } = options;
  const { task, signal } = hand;
  const result = new BatchResult(order.items.length, task.result);
  const waiting: OpenItem[] = result.open.map((index) => ({ index, engineDeaths: 0 }));
  const running = new Set<Promise<void>>();
  /** Not of an item but of the task: the first one ends the attempt. */
  const errors: unknown[] = [];

  const startItem = (engineToUse: EngineProcess): Promise<void> | null => {
    const item = signal.aborted ? undefined : waiting.shift();
    if (item === undefined) return null;
    const run = perform(item, engineToUse)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => running.delete(run));
    running.add(run);
    return run;
  };
  const withdraw = sharedItems.offer(startItem);
  work.wake();
  try {
    while (waiting.length + running.size > 0) {
      signal.throwIfAborted();
      await (startItem(engine) ?? Promise.race(running));
      if (errors.length > 0) throw errors[0];
    }
  } finally {
    withdraw();
    await Promise.all(running);
  }
  return outcomeOf(result);

  async function perform(item: OpenItem, engineToUse: EngineProcess): Promise<void> {
    const output = hand.newOutput();
    try {
      result.delivered(
        item.index,
        await makeStill(
          { kind: 'swap-image', ...itemOf(order, item.index), restore: order.restore },
          engineToUse,
          output,
          options,
          { signal, ...sharedPart(order) },
        ),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineDied) {
        log.error({ err: error, taskId: task.id, item: item.index }, 'the engine died on an item of a batch');
        item.engineDeaths += 1;
        if (item.engineDeaths < MAX_ENGINE_DEATHS) {
          waiting.push(item);
          return;
        }
      }
      const failure = itemFailure(error);
      if (failure.code === 'INTERNAL_ERROR') log.error({ err: failure, taskId: task.id }, 'an item failed');
      result.failed(item.index, failure.code, failure.message);
      await output.discardUnlessOffered();
    }
    hand.onProgress(result.progress);
    await hand.show(result.current);
  }
}

/** Decisions, No face: when every item fails, so does the task, with the first item's code. */
function outcomeOf({ current }: BatchResult): Outcome {
  const [first] = current.failures;
  if (current.outputs.length > 0 || first === undefined) return { status: 'COMPLETED', result: current };
  const { length } = current.failures;
  const message = length === 1 ? first.message : `All ${length} items failed; the first: ${first.message}`;
  return { status: 'FAILED', code: first.code, message, result: current };
}

function itemFailure(error: unknown): TaskFailure {
  if (!(error instanceof EngineDied)) return asTaskFailure(error);
  return new TaskFailure(
    'WORKER_LOST',
    `The engine stopped unexpectedly ${MAX_ENGINE_DEATHS} times while working on this item.`,
    error,
  );
}

/** Which file all items have in common, where there are several. */
function sharedPart({ items }: SwapBatchOrder): { shared?: 'source' | 'target' } {
  const [first, second] = items;
  if (first === undefined || second === undefined) return {};
  return { shared: first.source.objectKey === second.source.objectKey ? 'source' : 'target' };
}

function itemOf(order: SwapBatchOrder, index: number): { source: StoredInput; target: StoredInput } {
  const { source, target } = order.items[index]!;
  if ('url' in target) throw new TaskFailure('MEDIA_UNREACHABLE', `${target.field} was not fetched.`);
  return { source, target };
}
