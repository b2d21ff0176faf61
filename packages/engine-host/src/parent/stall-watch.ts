import { processorMs } from '@guise/media/isolation/process-usage.ts';

/** Share of the limit after which the watch looks again. */
const LOOK_SHARE = 0.25;
/** Share of the limit that a process must have used of a processor: on a busy machine it waits. */
const BUSY_SHARE = 0.5;
/** How many times the limit a process may take that hardly used a processor. */
const IDLE_FACTOR = 5;

/**
 * Finds out when a job makes no progress any more. A job that computes is stalled after the limit.
 * One that waits, because the disk or the machine is busy, gets five times as long.
 */
export class StallWatch {
  readonly #pid: number;
  readonly #limitMs: number;
  readonly #onStall: () => void;
  #hasProgress = true;
  #sinceMs = 0;
  #usedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param limitMs time without progress @param onStall called once, at most */
  constructor(pid: number, limitMs: number, onStall: () => void) {
    this.#pid = pid;
    this.#limitMs = limitMs;
    this.#onStall = onStall;
    this.#begin();
    void this.#look();
  }

  /** Tells that the job goes on. */
  progress(): void {
    this.#hasProgress = true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#limitMs * LOOK_SHARE);
  }

  async #look(): Promise<void> {
    const usedMs = await processorMs(this.#pid);
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    if (this.#hasProgress) {
      this.#hasProgress = false;
      this.#sinceMs = nowMs;
      this.#usedMs = usedMs ?? 0;
    }
    const elapsedMs = nowMs - this.#sinceMs;
    const isBusy = usedMs === null || usedMs - this.#usedMs >= this.#limitMs * BUSY_SHARE;
    if (elapsedMs < this.#limitMs * (isBusy ? 1 : IDLE_FACTOR)) return this.#begin();
    this.stop();
    this.#onStall();
  }
}
