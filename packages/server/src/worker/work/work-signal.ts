import type { Lane } from '@guise/contract/task.ts';

/** First pause of a lane after a look that was in vain; each further one doubles it. */
const FIRST_REST_MS = 8;

/** Longest pause of a lane. */
const LONGEST_REST_MS = 64;

/** A slot that waits. */
interface Waiting {
  readonly lanes: readonly Lane[];
  readonly proceed: (wokenBy: Lane | null) => void;
}

/** What is known of a lane. */
interface LaneNews {
  /** Hints that were given to no slot yet. */
  hints: number;
  /** Length of the last pause; 0 after a look that found something. */
  restMs: number;
  restTimer: NodeJS.Timeout | null;
}

/**
 * Wakes slots that wait for work: one for each hint, the one that worked last first, as its engine
 * is the warmest. All workers get each hint and one of them gets the work: those that look in vain
 * pause before their next look, and take the hints that come meanwhile together.
 */
export class WorkSignal {
  #count = 0;
  /** Slots in the order in which they began to wait. */
  readonly #waiting = new Set<Waiting>();
  readonly #lanes: Record<Lane, LaneNews> = {
    short: { hints: 0, restMs: 0, restTimer: null },
    long: { hints: 0, restMs: 0, restTimer: null },
  };

  /** Take before looking at the queue, give to `wait` after an empty look. */
  get count(): number {
    return this.#count;
  }

  /** Says that a task or part may wait. @param lane of it; null if any number may wait in any */
  wake(lane: Lane | null): void {
    if (lane !== null) {
      this.#lanes[lane].hints += 1;
      this.#giveHints(lane);
      return;
    }
    this.#count += 1;
    for (const { proceed } of this.#waiting) proceed(null);
  }

  /** Notes that a look found something in a lane: the next ones come at once. */
  found(lane: Lane): void {
    this.#lanes[lane].restMs = 0;
  }

  /** Notes that a look found nothing. @param wokenBy lane of the hint that it followed, if any */
  foundNothing(wokenBy: Lane | null): void {
    if (wokenBy === null) return;
    const news = this.#lanes[wokenBy];
    news.restMs = Math.min(LONGEST_REST_MS, Math.max(FIRST_REST_MS, 2 * news.restMs));
    // Not all workers at the same time.
    const pauseMs = news.restMs * (0.5 + Math.random() / 2);
    news.restTimer ??= setTimeout(() => {
      news.restTimer = null;
      this.#giveHints(wokenBy);
    }, pauseMs).unref();
  }

  /**
   * Waits for a hint about one of the lanes, for `timeoutMs` at most, or until aborted; not at all
   * if there was a hint since `seenCount` that no other slot got.
   * @returns the lane of the hint; null if there was none
   */
  wait(
    seenCount: number,
    lanes: readonly Lane[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Lane | null> {
    if (this.#count !== seenCount || signal.aborted) return Promise.resolve(null);
    // By hand: racing promises that live as long as the service would keep a trace of every idle
    // second.
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

  /** Gives each hint about a lane to a slot that waits for it, unless the lane rests. */
  #giveHints(lane: Lane): void {
    const news = this.#lanes[lane];
    if (news.restTimer !== null) return;
    const takers = [...this.#waiting].filter(({ lanes }) => lanes.includes(lane)).toReversed();
    for (const { proceed } of takers.slice(0, news.hints)) proceed(lane);
    // Slots that are just looking look again; others look when they have finished.
    if (takers.length < news.hints) this.#count += 1;
    news.hints = 0;
  }
}
