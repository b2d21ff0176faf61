import type { Lane } from '@guise/contract/task.ts';

/** Head start of a slot before the next one, enough for a claim. */
const HEAD_START_MS = 3;

/**
 * Wakes the slots that wait for work, the one that worked last before the others: its engine's code
 * and caches are the warmest. A wake between a slot's look at the queue and its waiting is not
 * lost.
 */
export class WorkSignal {
  #count = 0;
  readonly #waiting = new Map<() => void, readonly Lane[]>();

  /** Take before looking at the queue, give to `wait` after an empty look. */
  get count(): number {
    return this.#count;
  }

  /** Wakes slots. @param lane of the work; null for any. */
  wake(lane: Lane | null): void {
    this.#count += 1;
    const concerned = [...this.#waiting].filter(([, lanes]) => lane === null || lanes.includes(lane));
    const [last, ...others] = concerned.map(([proceed]) => proceed).toReversed();
    last?.();
    for (const [k, proceed] of others.entries()) setTimeout(proceed, (k + 1) * HEAD_START_MS);
  }

  /**
   * Resolves at once if anything woke since `seenCount`; else at the next wake of one of the lanes,
   * after `timeoutMs`, or on abort.
   */
  wait(seenCount: number, lanes: readonly Lane[], timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#count !== seenCount || signal.aborted) return Promise.resolve();
    // By hand: racing promises that live as long as the service would keep a trace of every idle
    // second.
    return new Promise((resolve) => {
      const proceed = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', proceed);
        this.#waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(proceed, timeoutMs);
      signal.addEventListener('abort', proceed);
      this.#waiting.set(proceed, lanes);
    });
  }
}
