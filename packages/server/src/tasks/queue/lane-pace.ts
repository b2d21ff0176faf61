import type { Lane } from '@guise/contract/task.ts';

/** Share of what was known before that still counts after one more task. */
const MEMORY = 0.95;

/** Measures how long one worker's slots take for a credit's worth of work, lately, by lane. */
export class LanePace {
  readonly #sums: Record<Lane, { seconds: number; credits: number }> = {
    short: { seconds: 0, credits: 0 },
    long: { seconds: 0, credits: 0 },
  };

  /** Counts an ended task; one that was free counts as one credit, as it does in the queue. */
  note(lane: Lane, { seconds, credits }: { readonly seconds: number; readonly credits: number }): void {
    const sums = this.#sums[lane];
    sums.seconds = sums.seconds * MEMORY + seconds;
    sums.credits = sums.credits * MEMORY + Math.max(credits, 1);
  }

  /** Returns seconds a credit; null before the first task of the lane. */
  secondsPerCredit(lane: Lane): number | null {
    const { seconds, credits } = this.#sums[lane];
    return credits === 0 ? null : seconds / credits;
  }
}
