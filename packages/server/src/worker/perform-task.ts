import { TaskFailure } from '@guise/contract/errors.ts';
import type { ClaimedTask } from '../tasks/queue/claim-tasks.ts';
import { finishTask, type Outcome } from '../tasks/finish-task.ts';
import { heartbeat } from '../tasks/heartbeat.ts';
import { deadlineMessage, deadlineOf } from '../tasks/reap.ts';
import { yieldTask } from '../tasks/yield-task.ts';
import { returnTask } from '../tasks/return-task.ts';
import { isFilm, type TaskResult } from '../tasks/task.ts';
import { EMPTY_RESULT } from './batch/batch-result.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from '../db/retry-while-away.ts';
import { EngineDied } from '@guise/engine-host/parent/engine-died.ts';
import { isLed } from './work/leaders.ts';
import { HeldLease, LEASE_MS } from './work/held-lease.ts';
import { withOperatorLabel } from './work/marks.ts';
import { PendingOutput } from './work/pending-output.ts';
import { performBatch } from './batch/perform-batch.ts';
import { performFilm } from './film/perform-film.ts';
import { performDetection, performFaceCheck } from './perform-detection.ts';
import { performLook } from './perform-look.ts';
import { performClip } from './perform-clip.ts';
import { performStill } from './perform-still.ts';
import { TaskStopped } from './work/task-aborts.ts';
import { asTaskFailure } from './work/task-failure.ts';
import type { TaskRun } from './work/task-run.ts';
import type { LeaderOptions, SlotOptions } from './work/worker-options.ts';

/**
 * Performs a claimed task until its end. Never rejects: an error becomes the status of the task.
 * @param onOffered called when the parts have been created, if the task has parts
 */
export async function performTask(
  task: ClaimedTask,
  options: SlotOptions,
  stopping: AbortSignal,
  onOffered: () => void = () => {},
): Promise<void> {
  const { db, relaxedDb, log, metrics, pace, aborts, settings } = options;
  const claimedAt = performance.now();
  const lease = { taskId: task.id, leaseToken: task.leaseToken };
  let progress = task.progress;
  let frames = task.result?.progressFrames;
  const held = new HeldLease({
    taskId: task.id,
    aborts,
    beat: () => {
      const result = frames === undefined ? {} : { result: { ...EMPTY_RESULT, progressFrames: frames } };
      return heartbeat(relaxedDb, { ...lease, leaseMs: LEASE_MS, progress, ...result });
    },
    onError: (error) => log.warn({ err: error, taskId: task.id }, 'a heartbeat failed'),
    stopping,
    // A leader needs no time to finish: all its progress is in the database, where the next leader
    // finds it.
    graceMs: isLed(task.work) ? 0 : settings.shutdownGraceMs,
  });
  const deadlineMs = deadlineOf(task.work, settings.taskDeadlineMs);
  const deadline = setTimeout(
    () => held.abort(new TaskFailure('DEADLINE_EXCEEDED', deadlineMessage(deadlineMs))),
    deadlineMs,
  );
  const outputs: PendingOutput[] = [];
  const offer = (result: TaskResult): void => {
    for (const output of outputs) output.offeredIn(result.outputs);
  };
  let lastShow = Promise.resolve();
  const taskRun: TaskRun = {
    task,
    signal: held.signal,
    onProgress: (value, seen) => {
      if (value > progress || seen !== undefined) held.progressed();
      progress = Math.max(progress, value);
      // An earlier attempt may have reached a higher frame.
      if (seen !== undefined) frames = { done: Math.max(frames?.done ?? 0, seen.done), total: seen.total };
    },
    newOutput() {
      const output = new PendingOutput(options, task.id, 0);
      outputs.push(output);
      return output;
    },
    // Calls run one after the other, so that an older result never replaces a newer one.
    show: (result) => (lastShow = lastShow.then(() => show(result))),
  };
  try {
    const outcome = await perform(taskRun, { ...options, onOffered });
    if (outcome.status === 'PENDING') {
      const { result } = outcome;
      await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () => yieldTask(db, lease, result));
    } else await finish(outcome);
  } catch (error) {
    await settleFailure(error).catch((cause: unknown) => {
      // The lease will expire, and then another worker takes the task.
      log.error({ err: cause, taskId: task.id }, 'a task could be neither finished nor returned');
    });
  } finally {
    held.release();
    clearTimeout(deadline);
    for (const output of outputs) {
      await output.discardUnlessOffered().catch((error: unknown) => {
        // The sweeper will delete the output, because it is registered or in the scratch folder.
        log.warn({ err: error, taskId: task.id }, 'could not remove an output that nobody gets');
      });
    }
  }

  /** Saves a result durably: a client that has seen an output must find it again after a crash. */
  async function show(result: TaskResult): Promise<void> {
    // If the answer of the database is lost, clients may have seen the outputs.
    let isHeld = true;
    try {
      isHeld = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
        heartbeat(db, { ...lease, leaseMs: LEASE_MS, progress, result }),
      );
    } finally {
      if (isHeld) offer(result);
    }
    if (!isHeld) held.abort(new TaskStopped('lease-lost'));
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
      if (engineDied)
        log.error({ err: error, taskId: task.id }, 'the engine process crashed while it worked on a task');
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

/** Outcome of one slice of a task that will continue later. */
interface Slice {
  readonly status: 'PENDING';
  readonly result: TaskResult;
}

async function perform(taskRun: TaskRun, options: SlotOptions & LeaderOptions): Promise<Outcome | Slice> {
  await options.moderate?.(taskRun.task, taskRun.signal);
  const order = withOperatorLabel(taskRun.task.work, options.settings.label);
  switch (order.kind) {
    case 'swap-image':
    case 'swap-group':
      return { status: 'COMPLETED', result: await performStill(order, taskRun, options) };
    case 'swap-batch':
      return performBatch(order, taskRun, options);
    case 'swap-video':
    case 'swap-gif':
    case 'swap-persons':
      if (isFilm(order)) return { status: 'COMPLETED', result: await performFilm(order, taskRun, options) };
      return { status: 'COMPLETED', result: await performClip(order, taskRun, options) };
    case 'detect-faces':
      return { status: 'COMPLETED', result: await performDetection(order, taskRun, options) };
    case 'check-face':
      return { status: 'COMPLETED', result: await performFaceCheck(order, taskRun, options) };
    case 'look-at-clip': {
      const { isDone, result } = await performLook(order, taskRun, options);
      return { status: isDone ? 'COMPLETED' : 'PENDING', result };
    }
  }
}
