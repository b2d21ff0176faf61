import { type TaskAborts, TaskStopped } from './task-aborts.ts';

/** Time after a heartbeat for which a task or part stays with its worker. */
export const LEASE_MS = 15_000;

/** Longest pause between two heartbeats. */
const HEARTBEAT_INTERVAL_MS = 5000;

/** Pause between two looks at the progress, which is written only if it changed. */
const SHOW_PROGRESS_INTERVAL_MS = 1000;

export interface HeldLeaseOptions {
  /** Task that the work belongs to, under which cancellations find it. */
  readonly taskId: string;
  readonly aborts: TaskAborts;
  /** Sends a heartbeat with the progress. @returns false if the lease is lost */
  readonly beat: () => Promise<boolean>;
  /** Reports a heartbeat that failed. */
  readonly onError: (error: unknown) => void;
  /** Aborted when the worker is asked to leave. */
  readonly stopping: AbortSignal;
  /** Time that the work gets to end then. */
  readonly graceMs: number;
}

/**
 * Keeps a lease by heartbeats while a task or part is worked on, and aborts the work when the lease
 * is lost, the task is cancelled, or the worker leaves.
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

  /** Aborted when the work must stop; its reason says why. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Lets the next heartbeat, within a second or two, carry new progress. */
  progressed(): void {
    this.#hasProgress = true;
  }

  /** Ends the heartbeats; the lease itself is given up by whoever finishes or returns the work. */
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
      // Whether the lease still holds is for the database to say when it is back.
      this.#options.onError(error);
    }
  }
}
