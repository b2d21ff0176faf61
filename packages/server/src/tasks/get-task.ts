import type { TaskType } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';
import { TASK_COLUMNS, type TaskRow, toTask } from './task-row.ts';
import type { Task, TaskInterface } from './task.ts';

/**
 * Address of a task as a client names it. All four members must match, so that every miss looks the
 * same.
 */
export interface TaskAddress {
  readonly accountId: string;
  /** A well-formed uuid. */
  readonly taskId: string;
  readonly interface: TaskInterface;
  /** Several: whichever it is of. */
  readonly type: TaskType | readonly TaskType[];
}

/**
 * Reads a task. @returns null if there is none, or it is hidden or of another account or workflow.
 */
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
