import type { ClaimedTask } from '../../tasks/queue/claim-tasks.ts';
import type { FrameProgress } from '@guise/contract/work.ts';
import type { TaskResult } from '../../tasks/task.ts';
import type { PendingOutput } from './pending-output.ts';

/**
 * Claimed task, as the code that performs it sees it. Lease, deadline and the end are handled
 * elsewhere.
 */
export interface TaskRun {
  readonly task: ClaimedTask;
  /** Aborted when the work must stop, with the reason. */
  readonly signal: AbortSignal;
  /**
   * Reports the progress, 0 to 1, and the frames of a video. Clients see it within two seconds. A
   * lower value is ignored.
   */
  onProgress(progress: number, frames?: FrameProgress): void;
  /** Makes an output. Whether it is kept depends on the end of the task. */
  newOutput(): PendingOutput;
  /**
   * Saves the result so far durably and at once, even if another worker continues the task. If the
   * task does not belong to this worker any more, aborts `signal` instead.
   */
  show(result: TaskResult): Promise<void>;
}
