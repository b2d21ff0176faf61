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
  /** Well-formed UUID; null if the client sent none, which is counted all the same. */
  readonly taskId: string | null;
  readonly interface: TaskInterface;
  /** Any of them. */
  readonly types: readonly TaskType[];
}

export interface Poll extends Admission {
  /** Task; null if there is none, or it is of another account or workflow, or hidden. */
  readonly task: Task | null;
}

/**
 * A whole poll in one statement: admission (see `admit`) and the task. Give it a database opened
 * with `durable: false`: a poll need not wait for the disk.
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
