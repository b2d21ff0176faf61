import type { ClaimedPart } from '../../tasks/queue/claim-parts.ts';
import type { PendingOutput } from './pending-output.ts';

/**
 * Claimed part, as the code that performs it sees it. Lease, retries and the end are handled
 * elsewhere.
 */
export interface PartRun {
  readonly part: ClaimedPart;
  /** Aborted when the work must stop, with the reason. */
  readonly signal: AbortSignal;
  /**
   * Reports the progress to the leader within two seconds, as JSON whose form depends on the step.
   */
  onProgress(progress: unknown): void;
  /** Makes an output. It is kept if the part succeeds and deleted otherwise. */
  newOutput(): PendingOutput;
  /**
   * Frees the slot for other work, because the engine is free. Call it when the engine has finished
   * and only storing is left. Further calls change nothing.
   */
  leave(): void;
}
