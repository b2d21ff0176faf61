import { videoBackend } from '@guise/media/video/backend.ts';
import type { SwapVideoOrder, WorkSpec } from '../../tasks/task.ts';

/** Length from which a video is cut into segments, seconds (docs/decisions/0017). */
const MIN_FILM_SECONDS = 60;

/** Whether films can be cut here: FFmpeg's programs can only go through a file from end to end. */
const CAN_CUT = videoBackend() === 'node-av';

/**
 * Returns whether a task is a film, which is cut into segments. That depends on the order alone,
 * and never on how many workers there are, so that the same order gives the same file.
 */
export function isFilm(work: WorkSpec): work is SwapVideoOrder {
  return work.kind === 'swap-video' && (work.target.durationSeconds ?? 0) >= MIN_FILM_SECONDS && CAN_CUT;
}
