import type { HiddenTaskType, TaskStatus, TaskType } from '../task.ts';

/** Names of the events for the end of a `/v1` job (docs/spec/v1#events). */
export const WEBHOOK_EVENTS = [
  'video_swap.completed',
  'video_swap.failed',
  'batch_swap.completed',
  'batch_swap.failed',
] as const;
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number];

/** Names of jobs in webhook events. Other tasks have no events. */
const JOB_NAMES: Partial<Record<TaskType | HiddenTaskType, 'video_swap' | 'batch_swap'>> = {
  VIDEO_SWAP: 'video_swap',
  BATCH_FACE_SWAP: 'batch_swap',
};

/**
 * Returns the name of the webhook event for a task with this status. v1 calls a cancelled job
 * failed.
 * @returns null if the task is not a job of v1 or has not ended
 */
export function webhookEventName(
  type: TaskType | HiddenTaskType,
  status: TaskStatus,
): WebhookEventName | null {
  const job = JOB_NAMES[type];
  if (job === undefined) return null;
  if (status === 'COMPLETED') return `${job}.completed`;
  return status === 'FAILED' || status === 'CANCELLED' ? `${job}.failed` : null;
}
