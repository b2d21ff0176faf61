import { ApiError } from './account.ts';

/**
 * Receives the time until which a request waits, because too many were sent; null: it waits no
 * more.
 */
export type OnWait = (until: Date | null) => void;

/** Wait after an answer of 429 that names no time. */
const USUAL_WAIT_SECONDS = 10;

/**
 * Does `work`, and repeats it while the service answers 429. Throws what `work` throws, or once
 * aborted.
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

/** Waits; rejects as soon as it is aborted. */
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
