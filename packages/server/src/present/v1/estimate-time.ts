import type { Task } from '../../tasks/task.ts';
import { parametersOf } from './job-parameters.ts';

/** Measured on one slow core: what a job costs before its first picture, a still of a batch, and a frame of a video. */
const START_SECONDS = 1;
const STILL_SECONDS = 0.6;
const FRAME_SECONDS = 0.02;
const FRAME_MEGAPIXEL_SECONDS = 0.03;

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

/** From this progress on, what was seen of a job counts more than what was estimated of it. */
const TRUSTED_PROGRESS = 0.2;

/** Whole seconds, at least 1, until a PROCESSING task is done: first by its estimate, then ever more by its own pace. */
export function remainingSeconds(task: Task, now: Date): number {
  const { progress, startedAt } = task;
  const elapsed = Math.max(0, (now.getTime() - (startedAt ?? now).getTime()) / 1000);
  const estimated = (parametersOf(task).estimated_time ?? 1) * (1 - progress);
  const paced = progress > 0 ? (elapsed / progress) * (1 - progress) : estimated;
  const trust = Math.min(1, progress / TRUSTED_PROGRESS);
  return Math.max(1, Math.ceil(trust * paced + (1 - trust) * estimated));
}
