import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from '@guise/contract/task.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';
import { isLed } from './work/leaders.ts';
import { engineIdentity, withNetworks } from './engine-identity.ts';
import { performPart } from './perform-part.ts';
import { performTask } from './perform-task.ts';
import { readQueueDepth } from '../tasks/queue/queue-depth.ts';
import { forgetBatch } from './work/shared-source-analysis.ts';
import type { ClaimedTask } from '../tasks/queue/claim-tasks.ts';
import { networksOf } from '../tasks/task.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Longest pause between two looks at the queue, in case a notification was lost. */
const POLL_INTERVAL_MS = 1000;

/** Pause after an error. */
const ERROR_PAUSE_MS = 1000;

/**
 * Runs tasks and parts one after the other while the worker runs and its engine is ready. A task
 * with parts is led in the background, so that the slot can take parts of this or other tasks.
 */
export async function runSlot(
  options: Omit<SlotOptions, 'engineIdentity' | 'hardware'>,
  stopping: AbortSignal,
): Promise<void> {
  const { engine, lanes, work, log } = options;
  let wokenBy: Lane | null = null;
  while (!stopping.aborted) {
    try {
      if (!engine.isStarted) wokenBy = await untilNeeded(options, stopping);
      const info = await readyUnlessStopping(engine, stopping);
      if (info === null) return;
      const seenCount = work.count;
      const encoding = (await options.videoHardware) ?? null;
      const identity = await engineIdentity(info, encoding);
      const slot = { ...options, engineIdentity: identity, hardware: encoding?.hardware };
      const hasWorked = await workOnce(slot, wokenBy, stopping);
      wokenBy = hasWorked ? null : await work.wait(seenCount, lanes, POLL_INTERVAL_MS, stopping);
    } catch (error) {
      if (stopping.aborted) return;
      log.error({ err: error }, 'a worker slot failed; it goes on');
      await delay(ERROR_PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/**
 * Waits until the slot needs its engine, which has not started: for work that no other slot takes,
 * or for a limited time. @returns lane of the hint that woke the slot; null if none did
 */
async function untilNeeded(
  { db, lanes, work, settings }: Pick<SlotOptions, 'db' | 'lanes' | 'work' | 'settings'>,
  stopping: AbortSignal,
): Promise<Lane | null> {
  const endMs = performance.now() + settings.spareStartMs;
  while (!stopping.aborted) {
    const seenCount = work.count;
    const depths = await readQueueDepth(db);
    if (depths.some(({ lane, waitSeconds }) => waitSeconds > 0 && lanes.includes(lane))) return null;
    const wokenBy = await work.wait(seenCount, lanes, Math.max(0, endMs - performance.now()), stopping);
    if (wokenBy !== null || performance.now() >= endMs) return wokenBy;
  }
  return null;
}

/**
 * Claims and performs one task or part.
 * @param wokenBy lane of the hint that woke the slot
 * @returns false if nothing waits
 */
async function workOnce(options: SlotOptions, wokenBy: Lane | null, stopping: AbortSignal): Promise<boolean> {
  const { claimer, lanes, leaders, work, engineIdentity, networks } = options;
  const claimed = await claimer.next({
    taskLanes: leaders.hasRoom ? lanes : lanes.filter((lane) => lane !== 'long'),
    partLanes: lanes,
    engines: [engineIdentity, withNetworks(engineIdentity)],
    networks: networks.keys,
  });
  if (claimed === null) {
    work.foundNothing(wokenBy);
    return false;
  }
  work.found(claimed.kind === 'part' ? claimed.part.lane : claimed.task.lane);
  // Many parts may have been created with a single notification, so another slot is woken.
  if (claimed.kind === 'part') work.wake(claimed.part.lane);
  if (claimed.kind === 'part') await performPart(claimed.part, options, stopping);
  else if (isLed(claimed.task.work)) await lead(claimed.task, options, stopping);
  else {
    forgetBatch(options.engine);
    await performTask(claimed.task, options, stopping);
  }
  return true;
}

/**
 * Leads a task in the background. The slot waits only until the task's parts exist; otherwise it
 * would claim later work first.
 */
async function lead(task: ClaimedTask, options: SlotOptions, stopping: AbortSignal): Promise<void> {
  const offered = Promise.withResolvers<void>();
  const { engineIdentity } = options;
  const needsNetworks = networksOf(task.work) !== undefined;
  const parts = { engineIdentity: needsNetworks ? withNetworks(engineIdentity) : engineIdentity };
  const run = performTask(task, { ...options, ...parts }, stopping, offered.resolve);
  options.leaders.add(run);
  await Promise.race([offered.promise, run]);
  options.claimer.partsMayWait(task.lane);
}

/**
 * Waits until the engine is ready; null if the worker stops. Adds and removes a listener each time:
 * racing against one long-lived promise would leak memory with every task.
 */
async function readyUnlessStopping(engine: EngineProcess, stopping: AbortSignal): Promise<EngineInfo | null> {
  const stopped = Promise.withResolvers<null>();
  const onStopping = (): void => stopped.resolve(null);
  stopping.addEventListener('abort', onStopping);
  try {
    return stopping.aborted ? null : await Promise.race([engine.whenReady(), stopped.promise]);
  } finally {
    stopping.removeEventListener('abort', onStopping);
  }
}
