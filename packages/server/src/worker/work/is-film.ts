import { videoBackend } from '@guise/media/video/backend.ts';
import { isLongVideo, type SwapVideoOrder, type WorkSpec } from '../../tasks/task.ts';

/** Whether films can be cut here: FFmpeg's programs can only go through a file from end to end. */
const CAN_CUT = videoBackend() === 'node-av';

/**
 * Returns whether a task is a film, which is cut into segments. That depends on the order alone,
 * and never on how many workers there are, so that the same order gives the same file.
 */
export function isFilm(work: WorkSpec): work is SwapVideoOrder {
  return CAN_CUT && isLongVideo(work);
}
