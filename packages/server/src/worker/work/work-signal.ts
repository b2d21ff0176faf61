import type { Lane } from '@guise/contract/task.ts';

/** First pause of a lane after a look that found nothing. Each further one doubles the pause. */
const FIRST_REST_MS = 8;

/** Longest pause of a lane. */
const LONGEST_REST_MS = 64;

/** A slot that waits for work. */
interface Waiting {
  readonly lanes: readonly Lane[];
  readonly proceed: (wokenBy: Lane | null) => void;
}

/** State of a lane. */
interface LaneNews {
  /** Hints that no slot has received yet. */
  hints: number;
  /** Length of the last pause; 0 after a look that found something. */
  restMs: number;
  restTimer: NodeJS.Timeout | null;
}

/**
 * Wakes waiting slots: one for each hint, beginning with the slot that worked last, because its
 * engine is the warmest. All workers get each hint, but only one gets the work. A worker that finds
 * nothing pauses the lane, and handles the hints that arrive during the pause together.
 */
export class WorkSignal {
  #count = 0;
  /** Slots in the order in which they began to wait. */
  readonly #waiting = new Set<Waiting>();
  readonly #lanes: Record<Lane, LaneNews> = {
    short: { hints: 0, restMs: 0, restTimer: null },
    long: { hints: 0, restMs: 0, restTimer: null },
  };

  /** Read this before a look at the queue, and pass it to `wait` if the look finds nothing. */
  get count(): number {
    return this.#count;
  }

  /**
   * Signals that work may wait. @param lane lane of one task or part; null: unknown number in any
   * lane
   */
  wake(lane: Lane | null): void {
    if (lane !== null) {
      this.#lanes[lane].hints += 1;
      this.#giveHints(lane);
      return;
    }
    this.#count += 1;
    for (const { proceed } of this.#waiting) proceed(null);
  }

  /** Records that a look found something in a lane. The lane then pauses no more. */
  found(lane: Lane): void {
    this.#lanes[lane].restMs = 0;
  }

  /**
   * Records that a look found nothing. @param wokenBy lane of the hint that caused the look, if any
   */
  foundNothing(wokenBy: Lane | null): void {
    if (wokenBy === null) return;
    const news = this.#lanes[wokenBy];
    news.restMs = Math.min(LONGEST_REST_MS, Math.max(FIRST_REST_MS, 2 * news.restMs));
    // The random part keeps workers from looking at the same time.
    const pauseMs = news.restMs * (0.5 + Math.random() / 2);
    news.restTimer ??= setTimeout(() => {
      news.restTimer = null;
      this.#giveHints(wokenBy);
    }, pauseMs).unref();
  }

  /**
   * Waits for a hint about one of the lanes, for at most `timeoutMs` or until aborted. Returns at
   * once if there was a hint since `seenCount` that no slot received.
   * @returns the lane of the hint; null if there was none
   */
  wait(
    seenCount: number,
    lanes: readonly Lane[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Lane | null> {
    if (this.#count !== seenCount || signal.aborted) return Promise.resolve(null);
    // No `Promise.race` here: racing against promises that live as long as the service would leak
    // memory with every wait.
    return new Promise((resolve) => {
      const proceed = (wokenBy: Lane | null): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(waiting);
        resolve(wokenBy);
      };
      const onAbort = (): void => proceed(null);
      const timer = setTimeout(proceed, timeoutMs, null);
      signal.addEventListener('abort', onAbort);
      const waiting = { lanes, proceed };
      this.#waiting.add(waiting);
    });
  }

  /** Gives each hint about a lane to a slot that waits for it, unless the lane pauses. */
  #giveHints(lane: Lane): void {
    const news = this.#lanes[lane];
    if (news.restTimer !== null) return;
    const takers = [...this.#waiting].filter(({ lanes }) => lanes.includes(lane)).toReversed();
    for (const { proceed } of takers.slice(0, news.hints)) proceed(lane);
    // Slots that are looking right now look again. Busy slots look when they have finished.
    if (takers.length < news.hints) this.#count += 1;
    news.hints = 0;
  }
}
