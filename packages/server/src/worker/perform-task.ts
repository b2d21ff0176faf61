import { TaskFailure } from '@guise/contract/errors.ts';
import type { ClaimedTask } from '../tasks/queue/claim-tasks.ts';
import { finishTask, type Outcome } from '../tasks/finish-task.ts';
import { heartbeat } from '../tasks/heartbeat.ts';
import { deadlineMessage } from '../tasks/reap.ts';
import { returnTask } from '../tasks/return-task.ts';
import type { TaskResult } from '../tasks/task.ts';
import { EMPTY_RESULT } from './batch/batch-result.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from './work/database-away.ts';
import { EngineDied } from '@guise/engine-host/parent/engine-died.ts';
import { PendingOutput } from './work/pending-output.ts';
import { performBatch } from './batch/perform-batch.ts';
import { performDetection } from './perform-detection.ts';
import { performStill } from './perform-still.ts';
import { performVideo } from './perform-video.ts';
import { TaskStopped } from './work/task-aborts.ts';
import { asTaskFailure } from './work/task-failure.ts';
import type { TaskRun } from './work/task-run.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Time after a heartbeat for which a task stays with its worker. */
export const LEASE_MS = 15_000;

/** Longest pause between two heartbeats. */
const HEARTBEAT_INTERVAL_MS = 5000;

/** Pause between two looks at the progress, which is written only if it changed. */
const SHOW_PROGRESS_INTERVAL_MS = 1000;

/**
 * Performs a claimed task, from its files to its last status. Never rejects: a failure becomes the
 * status of the task.
 */
export async function performTask(
  task: ClaimedTask,
  options: SlotOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { db, relaxedDb, log, metrics, pace, aborts, settings } = options;
  const claimedAt = performance.now();
  const lease = { taskId: task.id, leaseToken: task.leaseToken };
  const abort = new AbortController();
  let progress = task.progress;
  let frames = task.result?.progressFrames;
  /** Progress that the database was sent last, and when. */
  let reported = { progress, frames, atMs: performance.now() };

  const beat = async (): Promise<void> => {
    reported = { progress, frames, atMs: performance.now() };
    try {
      const result = frames === undefined ? {} : { result: { ...EMPTY_RESULT, progressFrames: frames } };
      if (!(await heartbeat(relaxedDb, { ...lease, leaseMs: LEASE_MS, progress, ...result }))) {
        abort.abort(new TaskStopped('lease-lost'));
      }
    } catch (error) {
      // Whether the lease still holds is for the database to say when it is back.
      log.warn({ err: error, taskId: task.id }, 'a heartbeat failed');
    }
  };
  const heartbeats = setInterval(() => {
    const isDue = performance.now() - reported.atMs >= HEARTBEAT_INTERVAL_MS - SHOW_PROGRESS_INTERVAL_MS / 2;
    if (isDue || progress !== reported.progress || frames !== reported.frames) void beat();
  }, SHOW_PROGRESS_INTERVAL_MS);
  const deadline = setTimeout(
    () => abort.abort(new TaskFailure('DEADLINE_EXCEEDED', deadlineMessage(settings.taskDeadlineMs))),
    settings.taskDeadlineMs,
  );
  let grace: NodeJS.Timeout | undefined;
  const onStopping = (): void => {
    grace = setTimeout(() => abort.abort(new TaskStopped('shutdown')), settings.shutdownGraceMs);
  };
  if (stopping.aborted) onStopping();
  stopping.addEventListener('abort', onStopping);
  aborts.add(task.id, { abort: (reason) => abort.abort(reason), checkLease: () => void beat() });

  const outputs: PendingOutput[] = [];
  const offer = (result: TaskResult): void => {
    for (const output of outputs) output.offeredIn(result.outputs);
  };
  let lastShow = Promise.resolve();
  const taskRun: TaskRun = {
    task,
    signal: abort.signal,
    onProgress: (value, seen) => {
      progress = Math.max(progress, value);
      // An attempt before this one may have come further.
      if (seen !== undefined) frames = { done: Math.max(frames?.done ?? 0, seen.done), total: seen.total };
    },
    newOutput() {
      const output = new PendingOutput(options, task);
      outputs.push(output);
      return output;
    },
    // One after the other, so that an older state never replaces a newer one.
    show: (result) => (lastShow = lastShow.then(() => show(result))),
  };
  try {
    await finish(await perform(taskRun, options));
  } catch (error) {
    await settleFailure(error);
  } finally {
    clearInterval(heartbeats);
    clearTimeout(deadline);
    clearTimeout(grace);
    stopping.removeEventListener('abort', onStopping);
    aborts.remove(task.id);
    for (const output of outputs) {
      await output.discardUnlessOffered().catch((error: unknown) => {
        // The sweeper finds it: it is registered, or lies on the scratch.
        log.warn({ err: error, taskId: task.id }, 'could not remove an output that nobody gets');
      });
    }
  }

  /** Shows a result and waits for the disk: a client that saw an output must find it again. */
  async function show(result: TaskResult): Promise<void> {
    // Where the answer is lost, they may have been seen.
    let held = true;
    try {
      held = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
        heartbeat(db, { ...lease, leaseMs: LEASE_MS, progress, result }),
      );
    } finally {
      if (held) offer(result);
    }
    if (!held) abort.abort(new TaskStopped('lease-lost'));
  }

  async function finish(outcome: Outcome): Promise<void> {
    if (outcome.status === 'COMPLETED') offer(outcome.result);
    const finished = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
      finishTask(db, lease, outcome, settings.ending),
    );
    if (finished === null) return;
    log.info({ taskId: task.id, status: outcome.status, type: task.type }, 'task finished');
    metrics.tasks.inc({ type: task.type, status: outcome.status });
    const seconds = (performance.now() - claimedAt) / 1000;
    metrics.taskSeconds.observe({ type: task.type }, seconds);
    pace.note(task.lane, { seconds, credits: task.costCredits });
  }

  async function settleFailure(error: unknown): Promise<void> {
    if (error instanceof TaskStopped && error.reason !== 'shutdown') return;
    if (error instanceof TaskStopped || error instanceof EngineDied) {
      const engineDied = error instanceof EngineDied;
      if (engineDied) log.error({ err: error, taskId: task.id }, 'the engine died on a task');
      await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
        returnTask(db, lease, { engineDied, ...settings.ending }),
      );
      return;
    }
    const failure = asTaskFailure(error);
    if (failure.code === 'INTERNAL_ERROR') log.error({ err: failure, taskId: task.id }, 'a task failed');
    await finish({ status: 'FAILED', code: failure.code, message: failure.message });
  }
}

async function perform(taskRun: TaskRun, options: SlotOptions): Promise<Outcome> {
  const order = taskRun.task.work;
  switch (order.kind) {
    case 'swap-image':
    case 'swap-group':
      return { status: 'COMPLETED', result: await performStill(order, taskRun, options) };
    case 'swap-batch':
      return performBatch(order, taskRun, options);
    case 'swap-video':
    case 'swap-gif':
      return { status: 'COMPLETED', result: await performVideo(order, taskRun, options) };
    case 'detect-faces':
      return { status: 'COMPLETED', result: await performDetection(order, taskRun, options) };
  }
}
