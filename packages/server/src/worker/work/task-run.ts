import type { ClaimedTask } from '../../tasks/queue/claim-tasks.ts';
import type { FrameProgress } from '@guise/contract/work.ts';
import type { TaskResult } from '../../tasks/task.ts';
import type { PendingOutput } from './pending-output.ts';

/**
 * Claimed task as its performer sees it; lease, deadline and ending are taken care of elsewhere.
 */
export interface TaskRun {
  readonly task: ClaimedTask;
  /** Aborted when the work must stop; its reason says why. */
  readonly signal: AbortSignal;
  /**
   * Reports the progress, 0..1, and the frames of a video. It is shown within a second or two; a
   * lower value changes nothing.
   */
  onProgress(progress: number, frames?: FrameProgress): void;
  /** Makes an output; the end of the task decides what becomes of it. */
  newOutput(): PendingOutput;
  /**
   * Shows the client what is done so far, at once and for good, even if another worker goes on with
   * the task. If the task is no longer this worker's, `signal` is aborted instead.
   */
  show(result: TaskResult): Promise<void>;
}
