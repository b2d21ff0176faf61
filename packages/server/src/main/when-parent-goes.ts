/** Pause between two looks for the parent. */
const POLL_INTERVAL_MS = 1000;

/**
 * Calls back when the process that started this one is gone, which no signal reports on every
 * platform.
 */
export function whenParentGoes(callback: () => void): void {
  const parentPid = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(timer);
    callback();
  }, POLL_INTERVAL_MS);
  timer.unref();
}
