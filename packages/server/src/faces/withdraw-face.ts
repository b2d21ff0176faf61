import { isTerminal, type TaskStatus } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { deleteObjects } from '../storage/delete-objects.ts';
import type { Storage } from '../storage/storage.ts';
import { type EndOptions, failTask } from '../tasks/end-task.ts';
import { giveUpFiles } from '../tasks/own/delete-outputs.ts';
import { taskColumns, type TaskRow } from '../tasks/task-row.ts';

export interface WithdrawDeps {
  readonly database: Database;
  readonly storage: Pick<Storage, 'deleteAll'>;
  /** Called after the commit that ended a task. */
  readonly onEnded?: EndOptions['onEnded'];
}

/** What a withdrawal did. */
export interface Withdrawal {
  /** Number of tasks that waited or ran, and failed. */
  readonly endedTasks: number;
  /** Number of results that were deleted. */
  readonly deletedOutputs: number;
}

/** Message of a task that a withdrawal ended. */
const MESSAGE = 'The consent to use a face of this task was withdrawn.';

/**
 * Withdraws the consent to use a face: its photos are deleted, unfinished tasks with it fail, and
 * files of finished ones are deleted. Safe to repeat.
 */
export async function withdrawFace(deps: WithdrawDeps, faceId: string): Promise<Withdrawal> {
  const { pool } = deps.database;
  // From this commit on no task can begin with the face: `createTask` locks the face's row.
  const { rows } = await pool.query<{ keys: string[] }>(
    `with before as (
       select id, array(select photo ->> 'objectKey' from jsonb_array_elements(photos) as photo) as keys
       from faces where id = $1 and withdrawn_at is null for update
     ), gone as (
       update faces set withdrawn_at = now(), photos = '[]', thumbnail = null from before where faces.id = before.id
     ), due as (
       update objects set delete_after = now() from before where key = any(before.keys)
     ) select keys from before`,
    [faceId],
  );
  const withdrawal = await clearWithdrawn(deps, faceId);
  await deleteObjects(pool, deps.storage, rows[0]?.keys ?? []);
  return withdrawal;
}

/**
 * Ends and empties the tasks of withdrawn faces. Workers call it too, in case a process died during
 * a withdrawal. They begin a minute after it, because the process that lives tells what it ended.
 * @param faceId default: all that were withdrawn more than a minute ago
 */
export async function clearWithdrawn(deps: WithdrawDeps, faceId: string | null = null): Promise<Withdrawal> {
  let [endedTasks, deletedOutputs] = [0, 0];
  for (;;) {
    const cleared = await inTransaction(deps.database.pool, (client) => clearOne(client, faceId));
    if (cleared === null) return { endedTasks, deletedOutputs };
    const { taskId, ended, keys } = cleared;
    deletedOutputs += cleared.outputs;
    if (ended) {
      endedTasks += 1;
      notifyInBackground(deps.database.pool, 'guise_cancelled', taskId);
      notifyInBackground(deps.database.pool, 'guise_finished', taskId);
      deps.onEnded?.(taskId);
    }
    await deleteObjects(deps.database.pool, deps.storage, keys);
  }
}

interface Cleared {
  readonly taskId: string;
  /** Whether the task was unfinished. */
  readonly ended: boolean;
  /** Number of its results. */
  readonly outputs: number;
  /** Keys of all its files. */
  readonly keys: readonly string[];
}

/** Ends and empties one task in its own transaction, because these cannot deadlock. */
async function clearOne(client: Transaction, faceId: string | null): Promise<Cleared | null> {
  const { rows } = await client.query<TaskRow>(
    `select ${taskColumns('tasks')} from tasks
     where id = (
       select task_id from task_faces join faces on faces.id = face_id
       where case when $1::uuid is null then withdrawn_at < now() - interval '1 minute'
             else withdrawn_at is not null and face_id = $1 end
       limit 1)
     for update`,
    [faceId],
  );
  const [task] = rows;
  if (task === undefined) return null;
  const ended = !isTerminal(task.status as TaskStatus);
  const after = ended ? await fail(client, task) : task;
  const { keys, outputs } = await giveUpFiles(client, after);
  await client.query(
    `delete from task_faces using faces
     where task_id = $1 and faces.id = face_id and withdrawn_at is not null`,
    [task.id],
  );
  return { taskId: task.id, ended, outputs, keys };
}

async function fail(client: Transaction, task: TaskRow): Promise<TaskRow> {
  const failure = { code: 'FACE_WITHDRAWN', message: MESSAGE } as const;
  const failed = await failTask(client, task, failure, { inputRetentionMs: 0 });
  if (failed === null) throw new Error(`task ${task.id} changed while it was locked`);
  return failed;
}
