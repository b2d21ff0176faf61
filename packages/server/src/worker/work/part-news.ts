import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { notifyInBackground, type Notifications } from '../../db/notifications.ts';

/** Shortest time between two notifications about one task. */
const NOTIFY_INTERVAL_MS = 50;

/** Shortest time between two reads of finished parts by a leader, unless all may be finished. */
const LOOK_PAUSE_MS = 200;

/** Counts finished parts for a leader. Reports between two waits count for the next wait. */
export class PartWatch {
  /** Number of reports since the last wait. */
  #news = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #heard: (() => void) | null = null;

  /** Reports that a part is finished. */
  wake(): void {
    this.#news += 1;
    this.#heard?.();
  }

  /**
   * Waits until `enough` parts are reported, or at least one and the last wait ended
   * `LOOK_PAUSE_MS` ago, so that many finished parts cause few reads. Ends after at most
   * `timeoutMs`, or when aborted.
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
 * Tells leaders that parts of their tasks are finished. A leader in this process is told directly,
 * others by a database notification, which may be lost.
 */
export class PartNews {
  readonly #db: Database;
  readonly #watches = new Map<string, PartWatch>();
  /**
   * Tasks of other leaders for which a notification was just sent, and whether another part has
   * finished since.
   */
  readonly #notified = new Map<string, boolean>();
  readonly stop: () => void;

  constructor(db: Database, notifications: Notifications) {
    this.#db = db;
    this.stop = notifications.listen('guise_part_done', (taskId) => {
      if (taskId !== null) this.#watches.get(taskId)?.wake();
      else for (const watch of this.#watches.values()) watch.wake();
    });
  }

  /** Starts a watch for a leader in this process; `unwatch` ends it. */
  watch(taskId: string): PartWatch {
    const watch = new PartWatch();
    this.#watches.set(taskId, watch);
    return watch;
  }

  unwatch(taskId: string, watch: PartWatch): void {
    if (this.#watches.get(taskId) === watch) this.#watches.delete(taskId);
  }

  /** Reports that a part of the task is finished. To be called after the commit. */
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
