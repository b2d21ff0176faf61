import type { TaskType } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';
import { TASK_COLUMNS, type TaskRow, toTask } from './task-row.ts';
import type { Task, TaskInterface } from './task.ts';

/**
 * Address of a task, as a client gives it. All four members must match, so that a client cannot
 * find out which one did not.
 */
export interface TaskAddress {
  readonly accountId: string;
  /** A well-formed UUID. */
  readonly taskId: string;
  readonly interface: TaskInterface;
  /** Type of the task, or a list of allowed types. */
  readonly type: TaskType | readonly TaskType[];
}

/** Reads a task. @returns null if no task matches the address or the task is hidden. */
export async function getTask(db: Database, address: TaskAddress): Promise<Task | null> {
  const { rows } = await db.pool.query<TaskRow>({
    name: 'get-task',
    text: `select ${TASK_COLUMNS.join(', ')} from tasks
      where id = $1 and account_id = $2 and interface = $3 and type = any($4) and not hidden`,
    values: [address.taskId, address.accountId, address.interface, typesOf(address)],
  });
  return rows[0] === undefined ? null : toTask(rows[0]);
}

export function typesOf({ type }: TaskAddress): readonly TaskType[] {
  return typeof type === 'string' ? [type] : type;
}
