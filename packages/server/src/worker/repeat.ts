import { setTimeout as delay } from 'node:timers/promises';

/**
 * Does `action` now and again `intervalMs` after each end, until aborted. `action` must not throw.
 */
export async function repeat(
  intervalMs: number,
  stop: AbortSignal,
  action: () => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    await action();
    await delay(intervalMs, undefined, { signal: stop }).catch(() => {});
  }
}
