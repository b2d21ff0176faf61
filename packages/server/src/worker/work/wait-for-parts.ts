import type { FinishedPart, PartStep } from '../../tasks/parts/part.ts';
import { readFinishedParts } from '../../tasks/parts/read-parts.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from '../../db/retry-while-away.ts';
import type { TaskRun } from './task-run.ts';
import type { LeaderOptions } from './worker-options.ts';
import type { PartWatch } from './part-news.ts';

/** Longest pause between two reads of the parts, in case a notification was lost. */
const LOOK_INTERVAL_MS = 1000;

export interface WaitForPartsOptions {
  readonly step: PartStep;
  /**
   * Positions of unfinished parts. Finished ones are removed. The caller may change the set during
   * the wait, and the set may contain positions whose parts do not exist yet.
   */
  readonly open: Set<number>;
  /** Wakes the leader; see `PartNews.watch`. */
  readonly watch: PartWatch;
  /** Called with the parts that finished since the last call, in order. */
  readonly onFinished: (parts: readonly FinishedPart[]) => Promise<void> | void;
}

/**
 * Waits until all parts of a step are finished, by any worker.
 * @throws the reason of the task's signal if it is aborted; what `onFinished` throws
 */
export async function waitForParts(
  { task, signal }: TaskRun,
  { db, onOffered }: LeaderOptions,
  { step, open, watch, onFinished }: WaitForPartsOptions,
): Promise<void> {
  onOffered();
  for (;;) {
    signal.throwIfAborted();
    const finished =
      open.size === 0
        ? []
        : await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
            readFinishedParts(db, { taskId: task.id, step }, [...open]),
          );
    for (const { position } of finished) open.delete(position);
    if (finished.length > 0) await onFinished(finished);
    if (open.size === 0) return;
    await watch.wait(LOOK_INTERVAL_MS, open.size, signal);
  }
}
