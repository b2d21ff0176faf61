import type { Lane } from '@guise/contract/task.ts';

/** Weight of all earlier tasks after one more task. */
const MEMORY = 0.95;

/**
 * Measures by lane how many seconds a slot of this worker has recently taken per credit of work.
 */
export class LanePace {
  readonly #sums: Record<Lane, { seconds: number; credits: number }> = {
    short: { seconds: 0, credits: 0 },
    long: { seconds: 0, credits: 0 },
  };

  /** Records an ended task. A free task counts as one credit, like in the queue. */
  note(lane: Lane, { seconds, credits }: { readonly seconds: number; readonly credits: number }): void {
    const sums = this.#sums[lane];
    sums.seconds = sums.seconds * MEMORY + seconds;
    sums.credits = sums.credits * MEMORY + Math.max(credits, 1);
  }

  /** Returns the seconds per credit; null before the first task of the lane. */
  secondsPerCredit(lane: Lane): number | null {
    const { seconds, credits } = this.#sums[lane];
    return credits === 0 ? null : seconds / credits;
  }
}
