import type pg from 'pg';
import { deleteObjects } from './delete-objects.ts';
import type { Storage } from './storage.ts';

/** Largest number of keys that a bucket deletes in one request. */
const BATCH_SIZE = 1000;

export interface EndedInputsOptions {
  readonly pool: pg.Pool;
  readonly storage: Pick<Storage, 'deleteAll'>;
  /** Called with a failure; the sweeper deletes the remaining files. */
  readonly onError: (error: unknown) => void;
}

/** Deletes the uploads of tasks that ended in this process at once, before the sweeper would. */
export interface EndedInputs {
  /** Deletes a task's uploads that are due, in the background. To be called after the commit. */
  readonly discard: (taskId: string) => void;
  /** Waits for running deletions. */
  settled(): Promise<void>;
}

/** Makes the deleter. It works in batches: tasks that end during one batch form the next. */
export function createEndedInputs({ pool, storage, onError }: EndedInputsOptions): EndedInputs {
  const taskIds = new Set<string>();
  let running: Promise<void> | null = null;
  const deleteAll = async (): Promise<void> => {
    while (taskIds.size > 0) {
      const ended = [...taskIds].slice(0, BATCH_SIZE);
      for (const taskId of ended) taskIds.delete(taskId);
      await deleteInputs(pool, storage, ended).catch(onError);
    }
    running = null;
  };
  return {
    discard(taskId) {
      taskIds.add(taskId);
      running ??= deleteAll();
    },
    async settled() {
      await running;
    },
  };
}

/**
 * Deletes the inputs of tasks, but not the outputs: a worker that lost its task may be about to
 * store an output, and deletes that output itself.
 */
async function deleteInputs(
  pool: pg.Pool,
  storage: Pick<Storage, 'deleteAll'>,
  taskIds: readonly string[],
): Promise<void> {
  const { rows } = await pool.query<{ key: string }>({
    name: 'ended-inputs',
    text: `select key from objects where task_id = any($1::uuid[]) and kind = 'input' and delete_after <= now()`,
    values: [taskIds],
  });
  await deleteObjects(
    pool,
    storage,
    rows.map(({ key }) => key),
  );
}
