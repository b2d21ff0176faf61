import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `action` now, and again `intervalMs` after each run, until aborted. `action` must not throw.
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
