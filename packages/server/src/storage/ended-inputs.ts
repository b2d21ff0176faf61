import type pg from 'pg';
import { deleteObjects } from './delete-objects.ts';
import type { Storage } from './storage.ts';

/** The most that a bucket deletes in one request. */
const BATCH_SIZE = 1000;

export interface EndedInputsOptions {
  readonly pool: pg.Pool;
  readonly storage: Pick<Storage, 'deleteAll'>;
  /** Called with a failure; the sweeper deletes the remaining files. */
  readonly onError: (error: unknown) => void;
}

/**
 * Uploads of tasks that ended in this process: they go at once, without waiting for the sweeper.
 */
export interface EndedInputs {
  /** Deletes a task's uploads in the background as far as they are due; called after the commit. */
  readonly discard: (taskId: string) => void;
  /** Waits for running deletions. */
  settled(): Promise<void>;
}

/** Deletes batch after batch; tasks that end meanwhile make up the next batch. */
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
 * Deletes no outputs: a worker that lost its task may be about to put one, and deletes it itself.
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
