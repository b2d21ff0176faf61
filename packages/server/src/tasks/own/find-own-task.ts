import type { Lane } from '@guise/contract/task.ts';
import type { Database } from '../../db/database.ts';
import { laneOf, taskColumns, type TaskRow, toTask, workOf } from '../task-row.ts';
import type { Task, WorkSpec } from '../task.ts';
import { inputsOf } from '../work-inputs.ts';

/** A task as its owner sees it. */
export interface OwnTask {
  readonly task: Task;
  /**
   * Order of the task, while all its files are stored; null if one is deleted or due for deletion.
   */
  readonly order: StoredOrder | null;
}

export interface StoredOrder {
  readonly work: WorkSpec;
  readonly lane: Lane;
  /** Time when the first of its files will be deleted; null while the task is unfinished. */
  readonly inputsUntil: Date | null;
}

type Row = TaskRow & { readonly inputs: string[] | null; readonly inputs_until: Date | null };

/**
 * Finds a task for its owner. @returns null if there is none, or it is hidden or belongs to another
 * account.
 */
export async function findOwnTask(db: Database, accountId: string, taskId: string): Promise<OwnTask | null> {
  const { rows } = await db.pool.query<Row>(
    `select ${taskColumns('t')}, stored.inputs, stored.inputs_until
     from tasks t cross join lateral (
       select array_agg(o.key) as inputs, nullif(min(o.delete_after), 'infinity') as inputs_until
       from objects o where o.task_id = t.id and o.kind = 'input' and o.delete_after > now()
     ) stored
     where t.id = $1 and t.account_id = $2 and not t.hidden`,
    [taskId, accountId],
  );
  const row = rows[0];
  return row === undefined ? null : { task: toTask(row), order: storedOrder(row) };
}

function storedOrder(row: Row): StoredOrder | null {
  const work = workOf(row);
  const stored = new Set(row.inputs);
  if (!inputsOf(work).every(({ objectKey }) => stored.has(objectKey))) return null;
  return { work, lane: laneOf(row), inputsUntil: row.inputs_until };
}
