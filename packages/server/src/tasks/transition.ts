import assert from 'node:assert/strict';
import type { FailureCode } from '@guise/contract/errors.ts';
import type { TaskStatus } from '@guise/contract/task.ts';
import type { Transaction } from '../db/transaction.ts';
import { type TaskRow, TASK_COLUMNS } from './task-row.ts';
import type { TaskResult } from './task.ts';

/** Allowed next statuses by status (docs/spec/ai-tasks#states-and-transitions). */
const NEXT: Record<TaskStatus, readonly TaskStatus[]> = {
  PENDING: ['PROCESSING', 'CANCELLED'],
  PROCESSING: ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
};

export interface Change {
  readonly to: TaskStatus;
  /** Length of the lease; only for PROCESSING. */
  readonly leaseMs?: number;
  /** New result; unchanged if absent. */
  readonly result?: TaskResult | null;
  /** Reason; only for FAILED. */
  readonly error?: { readonly code: FailureCode; readonly message: string };
  /** Captured credits, for a final status; unchanged if absent. */
  readonly costCredits?: number;
  /** New count; unchanged if absent. */
  readonly engineDeaths?: number;
}

/**
 * Changes the status of a task. Except for claims, which take many tasks at once (`claimTasks`),
 * all changes of status are made here. The update is only made if the status and lease are still
 * those of `before`, on which the caller based its decision.
 * @returns the row after the change; null if another change was made first.
 */
export async function transition(
  client: Transaction,
  before: TaskRow,
  change: Change,
): Promise<TaskRow | null> {
  assert(
    NEXT[before.status as TaskStatus].includes(change.to),
    `${before.status} never becomes ${change.to}`,
  );
  assert((change.to === 'FAILED') === (change.error !== undefined));
  assert((change.to === 'PROCESSING') === (change.leaseMs !== undefined));
  const { rows } = await client.query<TaskRow>({
    name: 'transition',
    text: `update tasks set
        status = $4,
        lease_token = case when $4 = 'PROCESSING' then gen_random_uuid() end,
        lease_until = case when $4 = 'PROCESSING' then clock_timestamp() + $5::float8 * interval '1 ms' end,
        started_at = case when $4 = 'PROCESSING' then clock_timestamp() when $4 = 'PENDING' then null else started_at end,
        completed_at = case when $4 in ('COMPLETED', 'FAILED', 'CANCELLED') then clock_timestamp() end,
        progress = case when $4 = 'COMPLETED' then 1 else progress end,
        result = case when $6 then $7::jsonb else result end,
        error_code = $8,
        error_message = $9,
        cost_credits = coalesce($10::bigint, cost_credits),
        engine_deaths = coalesce($11::int, engine_deaths)
      where id = $1 and status = $2 and lease_token is not distinct from $3::uuid
      returning ${TASK_COLUMNS.join(', ')}`,
    values: [
      before.id,
      before.status,
      before.lease_token,
      change.to,
      change.leaseMs ?? null,
      change.result !== undefined,
      change.result === undefined || change.result === null ? null : JSON.stringify(change.result),
      change.error?.code ?? null,
      change.error?.message ?? null,
      change.costCredits ?? null,
      change.engineDeaths ?? null,
    ],
  });
  return rows[0] ?? null;
}
