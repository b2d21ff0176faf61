import { isTerminal, type TaskStatus } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { deleteObjects } from '../storage/delete-objects.ts';
import type { Storage } from '../storage/storage.ts';
import { endTask } from '../tasks/end-task.ts';
import { giveUpFiles } from '../tasks/own/delete-outputs.ts';
import { taskColumns, type TaskRow } from '../tasks/task-row.ts';

export interface DeleteDeps {
  readonly database: Database;
  readonly storage: Pick<Storage, 'deleteAll'>;
}

/** What was deleted. */
export interface DeletionReceipt {
  readonly deletedAt: Date;
  /** Number of unfinished tasks that were cancelled. */
  readonly cancelledTasks: number;
  readonly deletedFaces: number;
  /** Number of files: uploads, results, their thumbnails and photos of faces. */
  readonly deletedFiles: number;
  /** Sum of their sizes, as far as known. */
  readonly deletedBytes: number;
}

/** Number of files that are deleted together. */
const BATCH_FILES = 1000;

/**
 * Deletes all files and saved faces of an account now, and cancels its unfinished tasks. The
 * account, its keys, its credits and what is known of its tasks stay. Safe to repeat.
 */
export async function deleteEverything(deps: DeleteDeps, accountId: string): Promise<DeletionReceipt> {
  const { pool } = deps.database;
  let cancelledTasks = 0;
  for (let task = await emptyOne(deps, accountId); task !== null; task = await emptyOne(deps, accountId)) {
    if (!task.wasUnfinished) continue;
    cancelledTasks += 1;
    notifyInBackground(pool, 'guise_cancelled', task.id);
    notifyInBackground(pool, 'guise_finished', task.id);
  }
  const { rowCount: deletedFaces } = await pool.query('delete from faces where account_id = $1', [accountId]);
  let [deletedFiles, deletedBytes] = [0, 0];
  // Everything counts that is registered: a file that was due before may not be deleted yet.
  await pool.query('update objects set delete_after = now() where account_id = $1', [accountId]);
  for (let after = ''; ;) {
    const { rows } = await pool.query<{ key: string; bytes: string | null }>(
      'select key, size_bytes as bytes from objects where account_id = $1 and key > $2 order by key limit $3',
      [accountId, after, BATCH_FILES],
    );
    await deleteObjects(
      pool,
      deps.storage,
      rows.map(({ key }) => key),
    );
    deletedFiles += rows.length;
    deletedBytes += rows.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0);
    if (rows.length < BATCH_FILES) break;
    after = rows.at(-1)!.key;
  }
  return {
    deletedAt: new Date(),
    cancelledTasks,
    deletedFaces: deletedFaces ?? 0,
    deletedFiles,
    deletedBytes,
  };
}

/** Cancels one task if it is unfinished, and records that its outputs are deleted. */
async function emptyOne(
  { database }: DeleteDeps,
  accountId: string,
): Promise<{ readonly id: string; readonly wasUnfinished: boolean } | null> {
  return inTransaction(database.pool, async (client) => {
    const { rows } = await client.query<TaskRow>(
      `select ${taskColumns('t')} from tasks t
       where account_id = $1 and (status in ('PENDING', 'PROCESSING')
         or exists (select from objects where task_id = t.id and delete_after > now()))
       limit 1 for update`,
      [accountId],
    );
    const [task] = rows;
    if (task === undefined) return null;
    const wasUnfinished = !isTerminal(task.status as TaskStatus);
    const ended = wasUnfinished ? await cancel(client, task) : task;
    await giveUpFiles(client, ended);
    return { id: task.id, wasUnfinished };
  });
}

async function cancel(client: Transaction, task: TaskRow): Promise<TaskRow> {
  const ended = await endTask(client, task, { status: 'CANCELLED' }, { inputRetentionMs: 0 });
  if (ended === null) throw new Error(`task ${task.id} changed while it was locked`);
  return ended;
}
