import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { TaskFailure } from '@guise/contract/errors.ts';
import { forgetObjects, registerObjects } from '../storage/objects.ts';
import type { ClaimedTask } from '../tasks/claim-task.ts';
import { finishTask, type Outcome } from '../tasks/finish-task.ts';
import { heartbeat } from '../tasks/heartbeat.ts';
import { deadlineMessage } from '../tasks/reap.ts';
import { returnTask } from '../tasks/return-task.ts';
import type { StoredInput, StoredOutput, TaskResult, WorkOrder } from '../tasks/task.ts';
import { retryWhileDatabaseIsAway } from './database-away.ts';
import type { VideoOutput } from './engine-job.ts';
import { EngineDied } from './engine-process.ts';
import { TaskStopped } from './task-aborts.ts';
import type { SlotOptions } from './worker-options.ts';

export const LEASE_MS = 15_000;
const HEARTBEAT_INTERVAL_MS = 5000;
/** Longer than a restart of PostgreSQL takes; beyond it the lease is lost anyway. */
const DATABASE_PATIENCE_MS = 60_000;

const EXTENSION_OF_CONTENT_TYPE: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** One claimed task from its files to its last status. Ends without an error whatever becomes of the task. */
export async function performTask(
  task: ClaimedTask,
  options: SlotOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { db, relaxedDb, log, aborts, settings } = options;
  const lease = { taskId: task.id, leaseToken: task.leaseToken };
  const abort = new AbortController();
  let progress = task.progress;

  const beat = async (): Promise<void> => {
    try {
      if (!(await heartbeat(relaxedDb, { ...lease, leaseMs: LEASE_MS, progress }))) {
        abort.abort(new TaskStopped('lease-lost'));
      }
    } catch (error) {
      // Whether the lease still holds is for the database to say when it is back.
      log.warn({ err: error, taskId: task.id }, 'a heartbeat failed');
    }
  };
  const heartbeats = setInterval(() => void beat(), HEARTBEAT_INTERVAL_MS);
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

  const output = new PendingOutput(options, task);
  try {
    const result = await work(task.work, options, output, abort.signal, (value) => {
      progress = Math.max(progress, value);
    });
    await finish({ status: 'COMPLETED', result });
  } catch (error) {
    await settleFailure(error);
  } finally {
    clearInterval(heartbeats);
    clearTimeout(deadline);
    clearTimeout(grace);
    stopping.removeEventListener('abort', onStopping);
    aborts.remove(task.id);
    await output.discardUnlessOffered().catch((error: unknown) => {
      // The sweeper finds it: it is registered, or lies on the scratch.
      log.warn({ err: error, taskId: task.id }, 'could not remove an output that nobody gets');
    });
  }

  async function finish(outcome: Outcome): Promise<void> {
    const { inputRetentionMs } = settings;
    if (outcome.status === 'COMPLETED') output.offered();
    const finished = await retryWhileDatabaseIsAway(DATABASE_PATIENCE_MS, () =>
      finishTask(db, lease, outcome, { inputRetentionMs }),
    );
    if (finished !== null)
      log.info({ taskId: task.id, status: outcome.status, type: task.type }, 'task finished');
  }

  async function settleFailure(error: unknown): Promise<void> {
    if (error instanceof TaskStopped && error.reason !== 'shutdown') return;
    if (error instanceof TaskStopped || error instanceof EngineDied) {
      const engineDied = error instanceof EngineDied;
      if (engineDied) log.error({ err: error, taskId: task.id }, 'the engine died on a task');
      await retryWhileDatabaseIsAway(DATABASE_PATIENCE_MS, () =>
        returnTask(db, lease, { engineDied, inputRetentionMs: settings.inputRetentionMs }),
      );
      return;
    }
    const failure =
      error instanceof TaskFailure
        ? error
        : new TaskFailure('INTERNAL_ERROR', 'The service failed on this task.', error);
    if (failure.code === 'INTERNAL_ERROR') log.error({ err: failure, taskId: task.id }, 'a task failed');
    await finish({ status: 'FAILED', code: failure.code, message: failure.message });
  }
}

async function work(
  order: WorkOrder,
  { storage, engine, settings }: SlotOptions,
  output: PendingOutput,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<TaskResult> {
  const { maxPixels } = settings;
  const control = { signal, onProgress };
  if (order.kind === 'detect-faces') {
    return withInputs(storage, order.images, async (paths) => {
      const found = await engine.run(
        {
          kind: 'detect-faces',
          images: order.images.map((input, index) => ({ name: input.field, path: paths[index]! })),
          maxPixels,
        },
        control,
      );
      const images = found.images.map(({ name, width, height, faces }) => ({
        field: name,
        width,
        height,
        faces,
      }));
      return { outputs: [], failures: [], images };
    });
  }
  if (order.kind === 'swap-video' || order.kind === 'swap-gif') {
    const made = await withInputs(storage, [order.source, order.target], ([sourcePath, targetPath]) =>
      engine.run(
        {
          kind: 'swap-video',
          sourcePath: sourcePath!,
          targetPath: targetPath!,
          outputPath: output.scratchPath,
          container: containerFor(order),
          restore: order.restore,
          size: order.kind === 'swap-video' ? order.size : {},
          maxPixels,
        },
        control,
      ),
    );
    const { contentType, width, height, sizeBytes, sha256, durationSeconds } = made;
    const { facesFound, frames, longestGapFrames, identitySimilarity } = made;
    const stored = await output.store(contentType);
    return {
      outputs: [{ index: 0, ...stored, contentType, width, height, sizeBytes, durationSeconds, sha256 }],
      failures: [],
      receipt: {
        facesFound,
        frames,
        longestGapFrames,
        engine: await engine.whenReady(),
        identitySimilarity,
        credits: 0,
      },
    };
  }
  const swapped = await withInputs(storage, [order.source, order.target], ([sourcePath, targetPath]) =>
    engine.run(
      {
        kind: 'swap-image',
        sourcePath: sourcePath!,
        targetPath: targetPath!,
        outputPath: output.scratchPath,
        restore: order.restore,
        maxPixels,
      },
      control,
    ),
  );
  const { contentType, width, height, sizeBytes, sha256 } = swapped;
  const stored = await output.store(contentType);
  return {
    outputs: [{ index: 0, ...stored, contentType, width, height, sizeBytes, sha256 }],
    failures: [],
    receipt: {
      facesFound: swapped.facesFound,
      frames: { total: 1, swapped: 1, passedThrough: 0 },
      longestGapFrames: 0,
      engine: await engine.whenReady(),
      identitySimilarity: swapped.identitySimilarity,
      credits: 0,
    },
  };
}

/** Decisions: Output type. */
function containerFor(order: Extract<WorkOrder, { kind: 'swap-video' | 'swap-gif' }>): VideoOutput {
  if (order.kind === 'swap-gif') return 'gif';
  return order.target.contentType === 'video/webm' ? 'webm' : 'mp4';
}

/** An output on its way from the engine's scratch file to a delivered object. */
class PendingOutput {
  readonly scratchPath: string;
  readonly #options: SlotOptions;
  readonly #task: ClaimedTask;
  #key: string | null = null;

  constructor(options: SlotOptions, task: ClaimedTask) {
    this.#options = options;
    this.#task = task;
    this.scratchPath = options.storage.scratchPath('part');
  }

  async store(contentType: string): Promise<Pick<StoredOutput, 'objectKey' | 'expiresAt'>> {
    const { db, storage, settings } = this.#options;
    const objectKey = storage.newKey('output', EXTENSION_OF_CONTENT_TYPE[contentType] ?? 'bin');
    const deleteAfter = new Date(Date.now() + settings.outputLifetimeMs);
    const row = {
      key: objectKey,
      kind: 'output',
      accountId: this.#task.accountId,
      taskId: this.#task.id,
      deleteAfter,
    } as const;
    await retryWhileDatabaseIsAway(DATABASE_PATIENCE_MS, () => registerObjects(db.pool, [row]));
    this.#key = objectKey;
    await storage.put(objectKey, this.scratchPath);
    return { objectKey, expiresAt: deleteAfter.toISOString() };
  }

  /**
   * From now on the database says who needs it: a commit whose answer got lost may have given its link away. Where it did
   * not, the task's end marks the object for the sweeper.
   */
  offered(): void {
    this.#key = null;
  }

  async discardUnlessOffered(): Promise<void> {
    const { db, storage } = this.#options;
    // A killed engine process leaves parts under names that begin with the output's.
    const { dir, base } = path.parse(this.scratchPath);
    for (const name of await readdir(dir)) {
      if (name.startsWith(base)) await rm(path.join(dir, name), { force: true });
    }
    if (this.#key === null) return;
    await storage.delete(this.#key);
    await forgetObjects(db.pool, [this.#key]);
  }
}

async function withInputs<T>(
  storage: SlotOptions['storage'],
  inputs: readonly StoredInput[],
  use: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const [input, ...rest] = inputs;
  if (input === undefined) return use([]);
  if ((await storage.sizeBytes(input.objectKey)) === null) {
    throw new TaskFailure('INTERNAL_ERROR', `The uploaded ${input.field} is no longer stored.`);
  }
  return storage.withLocalFile(input.objectKey, (path) =>
    withInputs(storage, rest, (paths) => use([path, ...paths])),
  );
}
