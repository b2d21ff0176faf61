import type { TaskType } from '@guise/contract/task.ts';
import {
  ADMISSION_COLUMNS,
  ADMISSION_FROM,
  ADMISSION_SQL,
  type Admission,
  admissionParameters,
  type AdmissionRequest,
  type AdmissionRow,
  toAdmission,
} from '../accounts/admit.ts';
import type { Database } from '../db/database.ts';
import { type TaskRow, taskColumns, toTask } from './task-row.ts';
import type { Task, TaskInterface } from './task.ts';

export interface PollRequest extends AdmissionRequest {
  /** Well-formed UUID; null if the client sent none. The request is counted in both cases. */
  readonly taskId: string | null;
  readonly interface: TaskInterface;
  /** Types that the task may have. */
  readonly types: readonly TaskType[];
}

export interface Poll extends Admission {
  /** Task; null if there is none, it is hidden, or it belongs to another account or workflow. */
  readonly task: Task | null;
}

/**
 * Does a whole poll in one statement: admission (see `admit`) and reading the task. Pass a database
 * opened with `durable: false`, because a poll need not wait for the disk.
 */
export async function admitAndReadTask(db: Database, request: PollRequest): Promise<Poll> {
  const { rows } = await db.pool.query<AdmissionRow & { [Column in keyof TaskRow]: TaskRow[Column] | null }>({
    name: 'admit-and-read-task',
    text: `${ADMISSION_SQL}
      select ${ADMISSION_COLUMNS}, ${taskColumns('t')}
      ${ADMISSION_FROM}
      left join tasks t on t.id = $6::uuid and t.account_id = admitted.id and t.interface = $7 and t.type = any($8::text[])
        and not t.hidden`,
    values: [...admissionParameters(request), request.taskId, request.interface, request.types],
  });
  const row = rows[0];
  const task = row === undefined || row.id === null ? null : toTask(row as unknown as TaskRow);
  return { ...toAdmission(row), task };
}
