import { EngineDied } from '@guise/engine-host/parent/engine-died.ts';
import { finishPart } from '../tasks/parts/finish-part.ts';
import { heartbeatPart } from '../tasks/parts/heartbeat-part.ts';
import type { ClaimedPart } from '../tasks/queue/claim-parts.ts';
import type { PartOutcome, PartStep } from '../tasks/parts/part.ts';
import { returnPart } from '../tasks/parts/return-part.ts';
import { MAX_ENGINE_DEATHS } from '../tasks/return-task.ts';
import { performItem } from './batch/perform-item.ts';
import {
  performChoose,
  performCut,
  performDraw,
  performJoin,
  performStudy,
} from './film/perform-film-parts.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from '../db/retry-while-away.ts';
import { HeldLease, LEASE_MS } from './work/held-lease.ts';
import { PendingOutput } from './work/pending-output.ts';
import { TaskStopped } from './work/task-aborts.ts';
import { asTaskFailure } from './work/task-failure.ts';
import type { SlotOptions } from './work/worker-options.ts';
import type { PartRun } from './work/part-run.ts';

/** Name of each part in messages to clients. */
const NAME_OF_STEP: Record<PartStep, string> = {
  item: 'item',
  cut: 'video',
  study: 'video',
  choose: 'video',
  draw: 'video',
  join: 'video',
};

/** Does the work of a part. @returns its result as JSON, whose form depends on the step */
function perform(partRun: PartRun, options: SlotOptions): Promise<unknown> {
  switch (partRun.part.step) {
    case 'item':
      return performItem(partRun, options);
    case 'cut':
      return performCut(partRun, options);
    case 'study':
      return performStudy(partRun, options);
    case 'choose':
      return performChoose(partRun, options);
    case 'draw':
      return performDraw(partRun, options);
    case 'join':
      return performJoin(partRun, options);
  }
}

/**
 * Performs a claimed part of a task. Never rejects: an error becomes the failure of the part, and
 * the leader decides what it means for the task.
 * @returns when the engine is free for other work, perhaps before the part is finished
 */
export async function performPart(
  part: ClaimedPart,
  options: SlotOptions,
  stopping: AbortSignal,
): Promise<void> {
  const left = Promise.withResolvers<void>();
  const run = performToItsEnd(part, options, stopping, left.resolve).catch((error: unknown) => {
    // The lease will expire, and then another worker takes the part.
    options.log.error({ err: error, ...nameOf(part) }, 'a part could be neither finished nor returned');
  });
  await Promise.race([left.promise, run]);
  await options.leavingParts.add(run);
}

async function performToItsEnd(
  part: ClaimedPart,
  options: SlotOptions,
  stopping: AbortSignal,
  leave: () => void,
): Promise<void> {
  const { db, relaxedDb, log, metrics, aborts, partNews, settings } = options;
  const claimedAtMs = performance.now();
  let progress: unknown;
  const lease = new HeldLease({
    taskId: part.taskId,
    aborts,
    beat: () => heartbeatPart(relaxedDb, part, { leaseMs: LEASE_MS, progress }),
    onError: (error) => log.warn({ err: error, ...nameOf(part) }, "a part's heartbeat failed"),
    stopping,
    graceMs: settings.shutdownGraceMs,
  });
  const outputs: PendingOutput[] = [];
  const partRun: PartRun = {
    part,
    signal: lease.signal,
    onProgress: (value) => {
      progress = value;
      lease.progressed();
    },
    newOutput() {
      const output = new PendingOutput(options, part.taskId, part.step === 'item' ? part.position : 0);
      outputs.push(output);
      return output;
    },
    leave,
  };
  try {
    await finish({ status: 'DONE', result: await perform(partRun, options) });
  } catch (error) {
    await settleFailure(error);
  } finally {
    lease.release();
    for (const output of outputs) {
      await output.discardUnlessOffered().catch((error: unknown) => {
        // The sweeper will delete the output, because it is registered or in the scratch folder.
        log.warn({ err: error, ...nameOf(part) }, 'could not remove an output that nobody gets');
      });
    }
  }

  async function finish(outcome: PartOutcome): Promise<void> {
    let tries = 0;
    let isHeard = true;
    try {
      isHeard = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () => {
        tries += 1;
        // If a crash of PostgreSQL loses this, the part is done again. Only the leader's commits
        // must be durable.
        return finishPart(relaxedDb, part, outcome);
      });
    } finally {
      // If the answer of the database was lost, the leader may have used the outputs. If not, the
      // end of the task makes them due for deletion.
      if (outcome.status === 'DONE' && (isHeard || tries > 1)) for (const output of outputs) output.offered();
    }
    if (!isHeard) return;
    partNews.tell(part.taskId);
    metrics.parts.inc({ step: part.step, status: outcome.status });
    metrics.partSeconds.observe({ step: part.step }, (performance.now() - claimedAtMs) / 1000);
  }

  async function settleFailure(error: unknown): Promise<void> {
    // An aborted part may fail with any error. The real cause is then the reason of the abort.
    const cause: unknown = lease.signal.aborted ? lease.signal.reason : error;
    if (cause instanceof TaskStopped && cause.reason !== 'shutdown') return;
    if (cause instanceof TaskStopped || cause instanceof EngineDied) {
      const hasDied = cause instanceof EngineDied;
      if (hasDied) log.error({ err: cause, ...nameOf(part) }, 'the engine died on a part of a task');
      const outcome = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
        returnPart(db, part, {
          engineDied: hasDied ? (cause.wasAlone ? 'alone' : 'beside') : null,
          lostMessage: `The engine stopped unexpectedly ${MAX_ENGINE_DEATHS} times while working on this ${NAME_OF_STEP[part.step]}.`,
        }),
      );
      if (outcome === 'failed') partNews.tell(part.taskId);
      return;
    }
    const failure = asTaskFailure(cause);
    if (failure.code === 'INTERNAL_ERROR') log.error({ err: failure, ...nameOf(part) }, 'a part failed');
    await finish({ status: 'FAILED', code: failure.code, message: failure.message });
  }
}

function nameOf({ taskId, step, position }: ClaimedPart): object {
  return { taskId, step, position };
}
