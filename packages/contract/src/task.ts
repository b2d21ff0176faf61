/** Types of a task that both interfaces share. */

export const TASK_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Statuses of a task that never change again. */
const TERMINAL_STATUSES = ['COMPLETED', 'FAILED', 'CANCELLED'] as const satisfies TaskStatus[];

/** Types of tasks that a client can create. */
export const TASK_TYPES = [
  'IMAGE_SWAP',
  'BATCH_FACE_SWAP',
  'MULTI_FACE_SWAP',
  'VIDEO_SWAP',
  'GIF_FACE_SWAP',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/**
 * Short hidden work that the API waits for itself: face detection, also for a dry run. Never
 * listed, never charged.
 */
export type HiddenTaskType = 'DETECT_FACES';

/**
 * `short` work (stills, detection) has a slot of its own, so that a long video never starves it.
 */
export type Lane = 'short' | 'long';

export function isTerminal(status: TaskStatus): boolean {
  return (TERMINAL_STATUSES as readonly TaskStatus[]).includes(status);
}
