import type { Quality, V1StillFormat, V1VideoFormat } from '@guise/contract/v1/values.ts';
import type { Task } from '../../tasks/task.ts';

/**
 * `task.parameters` of `/v1`: the request's options, including defaults, and values that answers
 * need.
 */
export interface V1Parameters {
  readonly quality: Quality;
  readonly output_format: V1StillFormat | V1VideoFormat;
  /** Estimated seconds, as shown when the job was accepted; not for an image swap. */
  readonly estimated_time?: number;
  /** Number of frames in a video, according to its container until the worker has counted. */
  readonly total_frames?: number;
  /** Number of targets in a batch. */
  readonly total_images?: number;
  readonly face_index?: number;
  readonly face_enhance?: boolean;
  /** Present if the request asks for the visible label. */
  readonly label?: true;
  /** Who agreed to the use of the face; absent if nobody said. */
  readonly consent?: string;
  /** Requested part of a video; absent for the whole video. */
  readonly start_seconds?: number;
  readonly end_seconds?: number;
}

/** Returns the parameters of a task that `/v1` created. */
export function parametersOf(task: Task): V1Parameters {
  return task.parameters as unknown as V1Parameters;
}
