import { rm } from 'node:fs/promises';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { Outcome } from '../../tasks/finish-task.ts';
import { MAX_ENGINE_DEATHS } from '../../tasks/return-task.ts';
import type { SwapBatchOrder } from '../../tasks/task.ts';
import { BatchResult } from './batch-result.ts';
import { EngineDied } from '@guise/engine-host/parent/engine-died.ts';
import type { MadeStill, StillControl } from '../work/make-still.ts';
import { sharedPart } from './shared-input.ts';
import { SharedSourceAnalysis } from './shared-source-analysis.ts';
import { asTaskFailure } from '../work/task-failure.ts';
import type { TaskRun } from '../work/task-run.ts';
import type { LocalInput } from '../work/with-inputs.ts';
import type { SlotOptions } from '../work/worker-options.ts';

type OrderedItem = SwapBatchOrder['items'][number];

/** An item that nothing has become of yet. */
export interface OpenItem extends OrderedItem {
  readonly index: number;
  engineDeaths: number;
  /** Whether an engine died while it worked on this and another item: either may have killed it. */
  isSuspect: boolean;
  /** Target given by URL, once it was fetched. */
  fetched: LocalInput | null;
}

export async function dropFetched(item: OpenItem): Promise<void> {
  if (item.fetched !== null) await rm(item.fetched.localPath, { force: true });
  item.fetched = null;
}

/** State of a batch while it is performed: what its items share, and what has become of them. */
export class BatchRun {
  readonly order: SwapBatchOrder;
  readonly taskRun: TaskRun;
  readonly options: SlotOptions;
  /** File that all items have in common, if there are several. */
  readonly shares: Pick<StillControl, 'shared'>;
  /** Analysis of the source by the first engine, if the items share the source. */
  readonly sourceAnalysis: SharedSourceAnalysis | null;
  /** Items that no earlier attempt has done. */
  readonly open: readonly OpenItem[];
  readonly #result: BatchResult;

  constructor(order: SwapBatchOrder, taskRun: TaskRun, options: SlotOptions) {
    this.order = order;
    this.taskRun = taskRun;
    this.options = options;
    const shared = sharedPart(order);
    this.shares = shared === null ? {} : { shared };
    this.sourceAnalysis = shared === 'source' ? new SharedSourceAnalysis() : null;
    this.#result = new BatchResult(order.items.length, taskRun.task.result);
    this.open = this.#result.open.map((index) => ({
      ...order.items[index]!,
      index,
      engineDeaths: 0,
      isSuspect: false,
      fetched: null,
    }));
  }

  /** Outcome of the batch, once every item is done. */
  get outcome(): Outcome {
    return this.#result.outcome;
  }

  /** Records a delivered item, and shows it to the client. @throws what `TaskRun.show` throws */
  async delivered({ index }: OpenItem, still: MadeStill): Promise<void> {
    this.#result.delivered(index, still);
    await this.#show();
  }

  /**
   * Records an item that failed, which is no failure of the batch.
   * @throws the reason of the signal, if that is why it failed
   */
  async failed(item: OpenItem, error: unknown): Promise<void> {
    const { task, signal } = this.taskRun;
    signal.throwIfAborted();
    const failure = itemFailure(error);
    if (failure.code === 'INTERNAL_ERROR')
      this.options.log.error({ err: failure, taskId: task.id }, 'an item failed');
    this.#result.failed(item.index, failure.code, failure.message);
    await dropFetched(item);
    await this.#show();
  }

  async #show(): Promise<void> {
    this.taskRun.onProgress(this.#result.progress);
    // What is whole is shown by the task's end.
    if (this.#result.open.length > 0) await this.taskRun.show(this.#result.current);
  }
}

function itemFailure(error: unknown): TaskFailure {
  if (!(error instanceof EngineDied)) return asTaskFailure(error);
  return new TaskFailure(
    'WORKER_LOST',
    `The engine stopped unexpectedly ${MAX_ENGINE_DEATHS} times while working on this item.`,
    error,
  );
}
