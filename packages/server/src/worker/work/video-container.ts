import type { VideoFormat } from '@guise/contract/formats.ts';
import type { SwapVideoOrder } from '../../tasks/task.ts';

/** Returns the container of a video's result (docs/decisions/0009#output-type). */
export function videoContainer({
  container,
  target,
}: Pick<SwapVideoOrder, 'container' | 'target'>): VideoFormat {
  return container ?? (target.contentType === 'video/webm' ? 'webm' : 'mp4');
}
