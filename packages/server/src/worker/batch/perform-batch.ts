import type { Outcome } from '../../tasks/finish-task.ts';
import { createParts, type NewPart } from '../../tasks/parts/create-parts.ts';
import type { FinishedPart } from '../../tasks/parts/part.ts';
import { readPartPositions } from '../../tasks/parts/read-parts.ts';
import type { SwapBatchOrder } from '../../tasks/task.ts';
import { waitForParts } from '../work/wait-for-parts.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from '../../db/retry-while-away.ts';
import type { MadeStill } from '../work/make-still.ts';
import { TaskStopped } from '../work/task-aborts.ts';
import { asTaskFailure } from '../work/task-failure.ts';
import type { TaskRun } from '../work/task-run.ts';
import type { RestingInput } from '../work/with-inputs.ts';
import type { LeaderOptions } from '../work/worker-options.ts';
import { BatchResult } from './batch-result.ts';
import { type ItemWork, sharedFileOf } from './item-work.ts';
import { type RemoteItem, TargetFetches } from './target-fetches.ts';

/**
 * Number of items with the same place in the queue. An engine that switches between batches has to
 * read the source of each again, so it should switch only after several items.
 */
const ITEMS_A_PLACE = 8;

/**
 * Leads a batch: creates a part for each item, for all workers, and waits until every part is
 * finished. Targets given by URL are downloaded at the same time; the part of each is created after
 * its download. Finished items are saved at once, so that another leader can continue with the
 * rest. The failure of one item does not affect the others.
 */
export async function performBatch(
  order: SwapBatchOrder,
  taskRun: TaskRun,
  options: LeaderOptions,
): Promise<Outcome> {
  const { task } = taskRun;
  const { partNews, sharedWork, log } = options;
  const result = new BatchResult(order.items.length, task.result);
  const open = new Set(result.open);
  const watch = partNews.watch(task.id);
  /** Aborted if a download fails in a way that ends the whole task. */
  const failed = new AbortController();
  const run: TaskRun = { ...taskRun, signal: AbortSignal.any([taskRun.signal, failed.signal]) };

  const show = async (): Promise<void> => {
    taskRun.onProgress(result.progress);
    // A complete result is saved by the end of the task.
    if (open.size > 0) await taskRun.show(result.current);
  };
  const onFinished = async (parts: readonly FinishedPart[]): Promise<void> => {
    for (const part of parts) {
      if (part.status === 'DONE') result.delivered(part.position, part.result as MadeStill);
      else result.failed(part.position, part.code, part.message);
      fetches.swapped(part.position);
    }
    await show();
  };
  const onUnfetched = async (index: number, error: unknown): Promise<void> => {
    const failure = asTaskFailure(error);
    if (failure.code === 'INTERNAL_ERROR') log.error({ err: failure, taskId: task.id }, 'an item failed');
    open.delete(index);
    result.failed(index, failure.code, failure.message);
    await show();
    watch.wake();
  };
  const fetches = new TargetFetches(run, options, {
    onFetched: (index, target) => offerItems(order, [{ index, target }], taskRun, options),
    onUnfetched,
    openItems: () => open.size,
    onError: (error) => failed.abort(error),
  });

  try {
    const { here, remote } = await itemsToDo(order, open, taskRun, options);
    await offerItems(order, here, taskRun, options);
    fetches.start(remote);
    await waitForParts(run, options, { step: 'item', open, watch, onFinished });
  } finally {
    partNews.unwatch(task.id, watch);
    await fetches.stop();
    await sharedWork.drop(task.id);
  }
  return result.outcome;
}

interface ItemToOffer {
  readonly index: number;
  readonly target: RestingInput;
}

/**
 * Sorts open items by whether their target is in storage. Leaves out remote items for which a
 * previous leader has created parts.
 */
async function itemsToDo(
  { items }: SwapBatchOrder,
  open: ReadonlySet<number>,
  { task }: TaskRun,
  { db }: LeaderOptions,
): Promise<{ here: ItemToOffer[]; remote: RemoteItem[] }> {
  const [here, remote]: [ItemToOffer[], RemoteItem[]] = [[], []];
  for (const index of open) {
    const { target } = items[index]!;
    if ('url' in target) remote.push({ index, target });
    else here.push({ index, target });
  }
  if (remote.length === 0) return { here, remote };
  const offered = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
    readPartPositions(db, { taskId: task.id, step: 'item' }),
  );
  return { here, remote: remote.filter(({ index }) => !offered.includes(index)) };
}

/** @throws TaskStopped if the task does not belong to this worker any more */
async function offerItems(
  order: SwapBatchOrder,
  items: readonly ItemToOffer[],
  { task }: TaskRun,
  { db, engineIdentity }: LeaderOptions,
): Promise<void> {
  const shared = sharedFileOf(order);
  const parts = items.map(({ index, target }): NewPart => {
    const work: ItemWork = {
      source: order.items[index]!.source,
      additionalSources: order.items[index]!.additionalSources,
      target,
      restore: order.restore,
      output: order.output,
      label: order.label,
      networks: order.networks,
      ...(shared === null ? {} : { shared }),
    };
    const place = index - (index % ITEMS_A_PLACE);
    return { position: index, work, shareBefore: place / order.items.length };
  });
  const isLed = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
    createParts(
      db,
      { taskId: task.id, leaseToken: task.leaseToken },
      { step: 'item', lane: task.lane, engine: engineIdentity, parts },
    ),
  );
  if (!isLed) throw new TaskStopped('lease-lost');
}
