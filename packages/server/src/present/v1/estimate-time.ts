import type { Task } from '../../tasks/task.ts';
import { parametersOf } from './job-parameters.ts';

/**
 * Engine time before a job's first picture. All times here were measured over HTTP on a busy server
 * with two cores, with a dozen stills of 0.6 megapixels and with videos of 480 x 270, 720 x 1280
 * and 1080 x 1920 (25, 44 and 72 ms per frame). An idle machine takes half as long.
 */
const START_SECONDS = 0.5;

/** Engine time for one picture of a batch. */
const STILL_SECONDS = 0.3;

/** Engine time for each frame of a video, in addition to that for its pixels. */
const FRAME_SECONDS = 0.016;

/** Engine time for each megapixel of a frame. */
const FRAME_MEGAPIXEL_SECONDS = 0.027;

/**
 * Estimates the work of a batch, without the wait for a slot. @returns whole seconds, at least 1.
 */
export function estimateBatchSeconds(images: number): number {
  return Math.ceil(START_SECONDS + images * STILL_SECONDS);
}

/** Estimates the work of a video. @param width,height size of the result in pixels. */
export function estimateVideoSeconds(
  frames: number,
  { width, height }: { width: number; height: number },
): number {
  const frameSeconds = FRAME_SECONDS + (FRAME_MEGAPIXEL_SECONDS * width * height) / 1e6;
  return Math.ceil(START_SECONDS + frames * frameSeconds);
}

/**
 * Progress from which only the measured speed of the job counts. Below it, the estimate also
 * counts, with a decreasing weight.
 */
const TRUSTED_PROGRESS = 0.1;

/**
 * Estimates the remaining whole seconds, at least 1, of a PROCESSING task: at first from its
 * estimate, then more and more from its measured speed.
 */
export function remainingSeconds(task: Task, now: Date): number {
  const { progress, startedAt } = task;
  const elapsed = Math.max(0, (now.getTime() - (startedAt ?? now).getTime()) / 1000);
  const estimated = (parametersOf(task).estimated_time ?? 1) * (1 - progress);
  // The start is not part of the speed, because early on it is most of the time.
  const worked = Math.max(0, elapsed - START_SECONDS);
  const paced = progress > 0 ? (worked / progress) * (1 - progress) : estimated;
  const trust = Math.min(1, progress / TRUSTED_PROGRESS);
  return Math.max(1, Math.ceil(trust * paced + (1 - trust) * estimated));
}
