import type { FailureCode } from '@guise/contract/errors.ts';
import type { Transaction } from '../db/transaction.ts';
import { settleCredits } from '../credits/settle-credits.ts';
import { deleteParts, mayHaveParts } from './delete-parts.ts';
import { deliveredPrice } from './price-of.ts';
import { queueWebhook } from './queue-webhook.ts';
import { scheduleDeletion } from './schedule-deletion.ts';
import { type TaskRow, workOf } from './task-row.ts';
import type { TaskResult } from './task.ts';
import { transition } from './transition.ts';

export type Ending =
  | { readonly status: 'COMPLETED'; readonly result: TaskResult }
  /** Costs nothing. `result` may list the items that failed. */
  | {
      readonly status: 'FAILED';
      readonly code: FailureCode;
      readonly message: string;
      readonly result?: TaskResult;
    }
  /** Costs the price of the outputs delivered so far, which are kept. */
  | { readonly status: 'CANCELLED' };

export interface EndOptions {
  /** Time for which inputs are kept after their task has ended. */
  readonly inputRetentionMs: number;
  /** Called after the commit that ended a task. Its uploads may be due for deletion. */
  readonly onEnded?: (taskId: string) => void;
}

/**
 * Does everything that the end of a task requires, in the caller's transaction: sets the status,
 * settles credits, queues the webhook, deletes the parts and schedules the deletion of files.
 * @param before the row, locked by the caller.
 */
export async function endTask(
  client: Transaction,
  before: TaskRow,
  ending: Ending,
  options: EndOptions,
): Promise<TaskRow | null> {
  // The intermediate result of a hidden task only serves to continue that task.
  const soFar = before.hidden ? null : (before.result as TaskResult | null);
  const delivered = outputsKept(ending, soFar);
  const captured = deliveredPrice(workOf(before), before.cost_credits, delivered.length);
  const after = await transition(client, before, {
    to: ending.status,
    costCredits: captured,
    ...(ending.status === 'FAILED' ? { error: { code: ending.code, message: ending.message } } : {}),
    ...resultOf(ending, soFar, captured),
  });
  if (after === null) return null;
  if (before.cost_credits > 0) {
    await settleCredits(client, {
      accountId: before.account_id,
      taskId: before.id,
      held: before.cost_credits,
      captured,
    });
  }
  if (mayHaveParts(workOf(before))) await deleteParts(client, before.id);
  await scheduleDeletion(client, before.id, delivered, options.inputRetentionMs);
  await queueWebhook(client, after);
  return after;
}

/**
 * Ends a task, running or waiting, as FAILED. Only a task that a worker has taken can fail, so a
 * waiting one is taken first.
 * @param before the row, locked by the caller.
 */
export async function failTask(
  client: Transaction,
  before: TaskRow,
  failure: Pick<Extract<Ending, { readonly status: 'FAILED' }>, 'code' | 'message'>,
  options: EndOptions,
): Promise<TaskRow | null> {
  const taken =
    before.status === 'PROCESSING'
      ? before
      : await transition(client, before, { to: 'PROCESSING', leaseMs: 0 });
  return taken && endTask(client, taken, { status: 'FAILED', ...failure }, options);
}

function outputsKept(ending: Ending, soFar: TaskResult | null): TaskResult['outputs'] {
  switch (ending.status) {
    case 'COMPLETED':
      return ending.result.outputs;
    case 'FAILED':
      return [];
    case 'CANCELLED':
      return soFar?.outputs ?? [];
  }
}

function resultOf(ending: Ending, soFar: TaskResult | null, captured: number): { result: TaskResult | null } {
  const result = ending.status === 'CANCELLED' ? soFar : (ending.result ?? null);
  if (result?.receipt === undefined) return { result };
  return { result: { ...result, receipt: { ...result.receipt, credits: captured } } };
}
