/** Types of a task that both interfaces share. */

export const TASK_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Final statuses, which never change again. */
const TERMINAL_STATUSES = ['COMPLETED', 'FAILED', 'CANCELLED'] as const satisfies TaskStatus[];

/** Types of tasks that clients can create. */
export const TASK_TYPES = [
  'IMAGE_SWAP',
  'BATCH_FACE_SWAP',
  'MULTI_FACE_SWAP',
  'VIDEO_SWAP',
  'GIF_FACE_SWAP',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/**
 * Short hidden work for which the API itself waits: face detection, also for quotes. It is never
 * listed or charged.
 */
export type HiddenTaskType = 'DETECT_FACES';

/**
 * Lane of a task. `short` work (stills, detection) has a reserved slot, so that long videos cannot
 * block it.
 */
export type Lane = 'short' | 'long';

export function isTerminal(status: TaskStatus): boolean {
  return (TERMINAL_STATUSES as readonly TaskStatus[]).includes(status);
}
