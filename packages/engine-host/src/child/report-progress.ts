import type { FrameProgress } from '@guise/contract/work.ts';
import type { OnProgress } from '../protocol/engine-job.ts';

/** Smallest step of progress that is reported. */
const MIN_PROGRESS_STEP = 0.002;
/** Time after which progress is reported even if the step is smaller, as in a long video. */
const MAX_REPORT_INTERVAL_MS = 500;

/**
 * Returns a function that reports progress, 0..1. Reported progress never falls, and many frames go
 * unreported.
 */
export function reportSparingly(onProgress: OnProgress): OnProgress {
  let reported = { progress: 0, atMs: performance.now() };
  return (progress: number, frames?: FrameProgress): void => {
    const now = performance.now();
    if (progress - reported.progress < MIN_PROGRESS_STEP && now - reported.atMs < MAX_REPORT_INTERVAL_MS)
      return;
    reported = { progress: Math.max(reported.progress, Math.min(1, progress)), atMs: now };
    onProgress(reported.progress, frames);
  };
}
