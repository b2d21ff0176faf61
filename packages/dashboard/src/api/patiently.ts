import { ApiError } from './account.ts';

/**
 * Called with the time of the next attempt if too many requests were sent, and with null when the
 * wait is over.
 */
export type OnWait = (until: Date | null) => void;

/** Wait after a 429 answer that contains no waiting time. */
const USUAL_WAIT_SECONDS = 10;

/**
 * Runs `work`, and repeats it while the service answers 429 (too many requests). Throws what `work`
 * throws, or the reason of `stop` if that is aborted during a wait.
 */
export async function patiently<T>(work: () => Promise<T>, onWait: OnWait, stop: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 429)) throw failure;
      const waitMs = (failure.resetSeconds ?? USUAL_WAIT_SECONDS) * 1000;
      onWait(new Date(Date.now() + waitMs));
      await pause(waitMs, stop);
      onWait(null);
    }
  }
}

/** Waits `waitMs`. Rejects as soon as `stop` is aborted. */
export async function pause(waitMs: number, stop: AbortSignal): Promise<void> {
  stop.throwIfAborted();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(stop.reason as Error);
    };
    const timer = setTimeout(() => {
      stop.removeEventListener('abort', end);
      resolve();
    }, waitMs);
    stop.addEventListener('abort', end, { once: true });
  });
}
