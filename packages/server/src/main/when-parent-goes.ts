/** Pause between two checks of the parent process. */
const POLL_INTERVAL_MS = 1000;

/**
 * Calls back when the process that started this one has ended. Polls, because not every platform
 * reports this by a signal.
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
