const LOOK_EVERY_MS = 1000;

/**
 * Calls back once the process that started this one is gone, which no signal tells on every
 * platform.
 */
export function whenParentGoes(callback: () => void): void {
  const parentPid = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
}
