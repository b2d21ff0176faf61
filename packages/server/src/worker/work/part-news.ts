import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { notifyInBackground, type Notifications } from '../../db/notifications.ts';

/** Least time between two notifications about one task. */
const NOTIFY_INTERVAL_MS = 50;

/** Least time between two looks of a leader at its parts, unless all may be finished. */
const LOOK_PAUSE_MS = 200;

/** A leader's ear: whatever is said between two waits counts for the next one. */
export class PartWatch {
  /** Number of parts that were said to be finished since the last wait. */
  #news = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #heard: (() => void) | null = null;

  /** Says that a part is finished. */
  wake(): void {
    this.#news += 1;
    this.#heard?.();
  }

  /**
   * Waits for news: until `enough` parts were said to be finished, or some and the last wait is a
   * while ago, so that many parts make few looks; for `timeoutMs` at most, or until aborted.
   */
  async wait(timeoutMs: number, enough: number, signal: AbortSignal): Promise<void> {
    const restMs = (): number => this.#lookedAtMs + LOOK_PAUSE_MS - performance.now();
    await new Promise<void>((resolve) => {
      let rest: NodeJS.Timeout | undefined;
      const proceed = (): void => {
        clearTimeout(timer);
        clearTimeout(rest);
        signal.removeEventListener('abort', proceed);
        this.#heard = null;
        resolve();
      };
      const timer = setTimeout(proceed, timeoutMs);
      signal.addEventListener('abort', proceed);
      this.#heard = () => {
        if (this.#news >= enough || restMs() <= 0) proceed();
        else rest ??= setTimeout(proceed, restMs());
      };
      if (signal.aborted) proceed();
      else if (this.#news > 0) this.#heard();
    });
    this.#news = 0;
    this.#lookedAtMs = performance.now();
  }
}

/**
 * Tells leaders that parts of their tasks are finished: those of this process directly, others by
 * notifications, which are hints.
 */
export class PartNews {
  readonly #db: Database;
  readonly #watches = new Map<string, PartWatch>();
  /** Tasks elsewhere that were notified of just now, and whether more happened since. */
  readonly #notified = new Map<string, boolean>();
  readonly stop: () => void;

  constructor(db: Database, notifications: Notifications) {
    this.#db = db;
    this.stop = notifications.listen('guise_part_done', (taskId) => {
      if (taskId !== null) this.#watches.get(taskId)?.wake();
      else for (const watch of this.#watches.values()) watch.wake();
    });
  }

  /** Lets a leader of this process listen, until `unwatch`. */
  watch(taskId: string): PartWatch {
    const watch = new PartWatch();
    this.#watches.set(taskId, watch);
    return watch;
  }

  unwatch(taskId: string, watch: PartWatch): void {
    if (this.#watches.get(taskId) === watch) this.#watches.delete(taskId);
  }

  /** Says that a part of the task is finished; after the commit. */
  tell(taskId: string): void {
    const watch = this.#watches.get(taskId);
    if (watch !== undefined) watch.wake();
    else if (this.#notified.has(taskId)) this.#notified.set(taskId, true);
    else void this.#notify(taskId);
  }

  async #notify(taskId: string): Promise<void> {
    do {
      this.#notified.set(taskId, false);
      notifyInBackground(this.#db.pool, 'guise_part_done', taskId);
      await delay(NOTIFY_INTERVAL_MS);
    } while (this.#notified.get(taskId));
    this.#notified.delete(taskId);
  }
}
