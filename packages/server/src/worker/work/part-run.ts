import type { ClaimedPart } from '../../tasks/queue/claim-parts.ts';
import type { PendingOutput } from './pending-output.ts';

/** Claimed part as its performer sees it; lease, retries and ending are taken care of elsewhere. */
export interface PartRun {
  readonly part: ClaimedPart;
  /** Aborted when the work must stop; its reason says why. */
  readonly signal: AbortSignal;
  /** Shows the leader, within a second or two, how far the part is: JSON, by the step. */
  onProgress(progress: unknown): void;
  /** Makes an output, which is kept if the part is done, and discarded otherwise. */
  newOutput(): PendingOutput;
  /**
   * Lets the slot go on with other work, because the engine is free: called once only storing is
   * left, or not at all. Calling it again changes nothing.
   */
  leave(): void;
}
