import type { VideoFormat } from '@guise/contract/formats.ts';
import type { SwapVideoOrder } from '../../tasks/task.ts';

/** Returns the container of a video's result (docs/spec/details#output-type). */
export function videoContainer({
  container,
  target,
}: Pick<SwapVideoOrder, 'container' | 'target'>): VideoFormat {
  return container ?? (target.contentType === 'video/webm' ? 'webm' : 'mp4');
}
