import type { ClaimedTask } from '../tasks/claim-task.ts';
import type { FrameProgress, TaskResult } from '../tasks/task.ts';
import type { PendingOutput } from './pending-output.ts';

/** A claimed task for whoever does its work; lease, deadline and ending are taken care of. */
export interface TaskRun {
  readonly task: ClaimedTask;
  /** Aborted when the work must stop; its reason says why. */
  readonly signal: AbortSignal;
  /**
   * 0..1, and the frames of a video; a lower value than before changes nothing. Shown within a
   * second or two.
   */
  onProgress(progress: number, frames?: FrameProgress): void;
  /** What becomes of it is seen to at the task's end, whatever that is. */
  newOutput(): PendingOutput;
  /**
   * Lets the client see, and keep, what is done so far: at once and for good, also where the task
   * goes on elsewhere. Where the task is no longer this worker's, `signal` is aborted instead.
   */
  show(result: TaskResult): Promise<void>;
}
