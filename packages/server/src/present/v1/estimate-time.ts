import type { Task } from '../../tasks/task.ts';
import { parametersOf } from './job-parameters.ts';

/**
 * Processor seconds, measured over HTTP on a busy server of two cores with a dozen stills of 0.6
 * megapixels and with videos of 480 x 270, 720 x 1280 and 1080 x 1920 (25, 44 and 72 ms a frame in
 * all): what a job costs before its first picture, a still of a batch, and a frame of a video. An
 * idle machine takes about half as long.
 */
const START_SECONDS = 0.5;

/** Engine time of one picture of a batch. */
const STILL_SECONDS = 0.3;

/** Engine time of a video's frame, whatever its size. */
const FRAME_SECONDS = 0.016;

/** Engine time of each megapixel of a video's frame. */
const FRAME_MEGAPIXEL_SECONDS = 0.027;

/** Work alone, without waiting for a slot. @returns whole seconds, at least 1. */
export function estimateBatchSeconds(images: number): number {
  return Math.ceil(START_SECONDS + images * STILL_SECONDS);
}

/** @param width,height in pixels, of the result. */
export function estimateVideoSeconds(
  frames: number,
  { width, height }: { width: number; height: number },
): number {
  const frameSeconds = FRAME_SECONDS + (FRAME_MEGAPIXEL_SECONDS * width * height) / 1e6;
  return Math.ceil(START_SECONDS + frames * frameSeconds);
}

/**
 * From this progress on a job's own pace is all that counts; before, it is the less sure the less
 * was seen.
 */
const TRUSTED_PROGRESS = 0.1;

/**
 * Whole seconds, at least 1, until a PROCESSING task is done: first by its estimate, then ever more
 * by its own pace.
 */
export function remainingSeconds(task: Task, now: Date): number {
  const { progress, startedAt } = task;
  const elapsed = Math.max(0, (now.getTime() - (startedAt ?? now).getTime()) / 1000);
  const estimated = (parametersOf(task).estimated_time ?? 1) * (1 - progress);
  // The start is no part of the pace: early on it would be most of what was seen.
  const worked = Math.max(0, elapsed - START_SECONDS);
  const paced = progress > 0 ? (worked / progress) * (1 - progress) : estimated;
  const trust = Math.min(1, progress / TRUSTED_PROGRESS);
  return Math.max(1, Math.ceil(trust * paced + (1 - trust) * estimated));
}
