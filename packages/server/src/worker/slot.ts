import { setTimeout as delay } from 'node:timers/promises';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { performTask } from './perform-task.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Longest pause between two looks at the queue, in case a notification is lost. */
const POLL_INTERVAL_MS = 1000;

/** Pause after an error. */
const ERROR_PAUSE_MS = 1000;

/** Look that stands for none at all, so that the next one is due. */
const NO_LOOK = { count: -1, atMs: 0 };

/**
 * Runs one task at a time, for as long as the worker runs. A slot claims tasks only while its
 * engine is warm; one without a task helps with the batches of others, item by item, and looks at
 * the queue between two items if it was notified. The slot for short work does not help.
 */
export async function runSlot(options: SlotOptions, stopping: AbortSignal): Promise<void> {
  const { claimer, engine, lanes, work, sharedItems, log } = options;
  /** Last look at the queue that found nothing: after which notification, and when. */
  let emptyLook = NO_LOOK;
  while (!stopping.aborted) {
    try {
      await readyUnlessStopping(engine, stopping);
      if (stopping.aborted) return;
      const seenCount = work.count;
      const isKnownEmpty =
        emptyLook.count === seenCount && performance.now() - emptyLook.atMs < POLL_INTERVAL_MS;
      if (!isKnownEmpty) {
        const task = await claimer.next(lanes);
        if (task !== null) {
          await performTask(task, options, stopping);
          continue;
        }
        emptyLook = { count: seenCount, atMs: performance.now() };
      }
      if (lanes.includes('long') && (await sharedItems.performOne(engine))) continue;
      await work.wait(seenCount, lanes, POLL_INTERVAL_MS, stopping);
      emptyLook = NO_LOOK;
    } catch (error) {
      if (stopping.aborted) return;
      log.error({ err: error }, 'a worker slot failed; it goes on');
      await delay(ERROR_PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/**
 * Waits until the engine is ready or the worker stops. It adds a listener each time, because a
 * promise as old as the worker would collect a trace of every task.
 */
async function readyUnlessStopping(engine: EngineProcess, stopping: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const onStopping = (): void => stopped.resolve();
  stopping.addEventListener('abort', onStopping);
  try {
    if (!stopping.aborted) await Promise.race([engine.whenReady(), stopped.promise]);
  } finally {
    stopping.removeEventListener('abort', onStopping);
  }
}
