import { type TaskAborts, TaskStopped } from './task-aborts.ts';

/** Time after a heartbeat for which a task or part belongs to its worker. */
export const LEASE_MS = 15_000;

/** Longest pause between two heartbeats. */
const HEARTBEAT_INTERVAL_MS = 5000;

/** Interval at which new progress is saved. */
const SHOW_PROGRESS_INTERVAL_MS = 1000;

export interface HeldLeaseOptions {
  /** Task of the work. If it is cancelled, the work is aborted. */
  readonly taskId: string;
  readonly aborts: TaskAborts;
  /** Sends a heartbeat with the progress. @returns false if the lease is lost */
  readonly beat: () => Promise<boolean>;
  /** Reports a failed heartbeat. */
  readonly onError: (error: unknown) => void;
  /** Aborted when the worker is asked to stop. */
  readonly stopping: AbortSignal;
  /** Time that the work gets to finish after `stopping` is aborted. */
  readonly graceMs: number;
}

/**
 * Keeps a lease by heartbeats while a task or part is in progress. Aborts the work if the lease is
 * lost, the task is cancelled or the worker stops.
 */
export class HeldLease {
  readonly #options: HeldLeaseOptions;
  readonly #abort = new AbortController();
  readonly #heartbeats: NodeJS.Timeout;
  readonly #forget: () => void;
  #grace: NodeJS.Timeout | undefined;
  #hasProgress = false;
  #sentAtMs = performance.now();

  constructor(options: HeldLeaseOptions) {
    this.#options = options;
    const { stopping, aborts, taskId } = options;
    this.#heartbeats = setInterval(() => this.#beatIfDue(), SHOW_PROGRESS_INTERVAL_MS);
    if (stopping.aborted) this.#leave();
    stopping.addEventListener('abort', this.#leave);
    this.#forget = aborts.add(taskId, {
      abort: (reason) => this.abort(reason),
      checkLease: () => void this.#beat(),
    });
  }

  /** Aborted when the work must stop, with the reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Reports new progress. A heartbeat sends it within a second or two. */
  progressed(): void {
    this.#hasProgress = true;
  }

  /** Stops the heartbeats. The lease itself ends when the work is finished or returned. */
  release(): void {
    clearInterval(this.#heartbeats);
    clearTimeout(this.#grace);
    this.#options.stopping.removeEventListener('abort', this.#leave);
    this.#forget();
  }

  readonly #leave = (): void => {
    this.#grace = setTimeout(() => this.abort(new TaskStopped('shutdown')), this.#options.graceMs);
  };

  #beatIfDue(): void {
    const isDue = performance.now() - this.#sentAtMs >= HEARTBEAT_INTERVAL_MS - SHOW_PROGRESS_INTERVAL_MS / 2;
    if (isDue || this.#hasProgress) void this.#beat();
  }

  async #beat(): Promise<void> {
    this.#hasProgress = false;
    this.#sentAtMs = performance.now();
    try {
      if (!(await this.#options.beat())) this.abort(new TaskStopped('lease-lost'));
    } catch (error) {
      // It is unknown whether the lease is still valid. A later heartbeat finds out when the
      // database answers again.
      this.#options.onError(error);
    }
  }
}
