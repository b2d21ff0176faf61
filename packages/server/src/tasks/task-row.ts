import type { FailureCode } from '@guise/contract/errors.ts';
import type { HiddenTaskType, Lane, TaskStatus, TaskType } from '@guise/contract/task.ts';
import type { Task, TaskInterface, TaskResult, WorkSpec } from './task.ts';

/** A row of `tasks`, as PostgreSQL returns it. */
export interface TaskRow {
  readonly id: string;
  readonly account_id: string;
  readonly interface: string;
  readonly type: string;
  readonly lane: string;
  readonly hidden: boolean;
  readonly status: string;
  readonly parameters: unknown;
  readonly work: unknown;
  readonly result: unknown;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly progress: number;
  readonly cost_credits: number;
  readonly engine_deaths: number;
  readonly lease_token: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
}

/** Columns that are read for a task, in the order of `TaskRow`. */
export const TASK_COLUMNS = [
  'id',
  'account_id',
  'interface',
  'type',
  'lane',
  'hidden',
  'status',
  'parameters',
  'work',
  'result',
  'error_code',
  'error_message',
  'progress',
  'cost_credits',
  'engine_deaths',
  'lease_token',
  'created_at',
  'started_at',
  'completed_at',
] as const;

/** Lists the columns with a table alias, for statements over several tables. */
export function taskColumns(alias: string): string {
  return TASK_COLUMNS.map((column) => `${alias}.${column}`).join(', ');
}

export function toTask(row: TaskRow): Task {
  return {
    id: row.id,
    accountId: row.account_id,
    interface: row.interface as TaskInterface,
    type: row.type as TaskType | HiddenTaskType,
    status: row.status as TaskStatus,
    costCredits: row.cost_credits,
    parameters: row.parameters as Record<string, unknown>,
    result: row.result as TaskResult | null,
    error:
      row.error_code === null
        ? null
        : { code: row.error_code as FailureCode, message: row.error_message ?? '' },
    progress: row.progress,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  };
}

export function laneOf(row: TaskRow): Lane {
  return row.lane as Lane;
}

export function workOf(row: TaskRow): WorkSpec {
  return row.work as WorkSpec;
}
