import type { Quality, V1StillFormat, V1VideoFormat } from '@guise/contract/v1/values.ts';
import type { Task } from '../../tasks/task.ts';

/**
 * `task.parameters` of `/v1`: what the client asked for, after defaults, and what its answers are
 * made of.
 */
export interface V1Parameters {
  readonly quality: Quality;
  readonly output_format: V1StillFormat | V1VideoFormat;
  /** Seconds, as the acceptance said; not of an image swap. */
  readonly estimated_time?: number;
  /** Frames of a video, by its container until the worker has counted. */
  readonly total_frames?: number;
  /** Targets of a batch. */
  readonly total_images?: number;
  readonly face_index?: number;
  readonly face_enhance?: boolean;
  /** Wanted part of a video; absent if all of it is wanted. */
  readonly start_seconds?: number;
  readonly end_seconds?: number;
}

/** Returns the parameters of a task that `/v1` created. */
export function parametersOf(task: Task): V1Parameters {
  return task.parameters as unknown as V1Parameters;
}
