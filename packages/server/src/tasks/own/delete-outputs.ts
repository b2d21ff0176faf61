import { AppError } from '@guise/contract/errors.ts';
import { isTerminal, type TaskStatus } from '@guise/contract/task.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import type { TaskAddress } from '../get-task.ts';
import { lockAddressedTask } from '../lock-task.ts';
import type { TaskRow } from '../task-row.ts';
import type { TaskResult } from '../task.ts';

/** Files whose deletion is due. */
interface GivenUp {
  /** Keys of outputs and their thumbnails. */
  readonly keys: readonly string[];
  /** Number of the outputs. */
  readonly outputs: number;
}

/**
 * Schedules the immediate deletion of the files of a finished task. The caller then deletes them;
 * the sweeper deletes what is left after a crash.
 * @returns the files, none if they are deleted already; null where `getTask` would give null
 * @throws AppError TASK_UNFINISHED
 */
export function giveUpOutputs(db: Database, address: TaskAddress): Promise<GivenUp | null> {
  return inTransaction(db.pool, async (client) => {
    const task = await lockAddressedTask(client, address);
    if (task === null) return null;
    if (!isTerminal(task.status as TaskStatus)) {
      throw new AppError(
        'TASK_UNFINISHED',
        `The task is ${task.status}: cancel it before its files are deleted.`,
      );
    }
    return giveUpFiles(client, task, 'output');
  });
}

/**
 * Schedules the immediate deletion of a task's files, in the caller's transaction.
 * @param kind of the files. Default: all
 */
export async function giveUpFiles(
  client: Transaction,
  task: TaskRow,
  kind: 'output' | null = null,
): Promise<GivenUp> {
  const { rows } = await client.query<{ key: string }>(
    `update objects set delete_after = now()
     where task_id = $1 and ($2::text is null or kind = $2) and delete_after > now() returning key`,
    [task.id, kind],
  );
  const keys = rows.map(({ key }) => key);
  return { keys, outputs: await markDeleted(client, task, new Set(keys)) };
}

/**
 * Records in the task's outputs when their files were deleted. Returns the number of the outputs.
 */
async function markDeleted(client: Transaction, task: TaskRow, keys: ReadonlySet<string>): Promise<number> {
  const result = task.result as TaskResult | null;
  if (keys.size === 0 || result === null) return 0;
  const deletedAt = new Date().toISOString();
  const outputs = result.outputs.map((output) =>
    keys.has(output.objectKey) ? { ...output, deletedAt } : output,
  );
  await client.query('update tasks set result = $2 where id = $1', [
    task.id,
    JSON.stringify({ ...result, outputs }),
  ]);
  return result.outputs.filter(({ objectKey }) => keys.has(objectKey)).length;
}
