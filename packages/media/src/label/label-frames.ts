import type { Stamp } from '@guise/kernels/stamp.ts';
import type { MediaFrame } from '../video/video-types.ts';
import { drawLabel } from './draw-label.ts';

/**
 * Returns an editor of frames that puts the visible label on each frame after it was edited, at the
 * same place in all of them.
 * @param isOn if not true, the editor itself is returned
 */
export function labelFrames<Rest extends readonly unknown[]>(
  isOn: boolean | undefined,
  onFrame: (frame: MediaFrame, ...rest: Rest) => Promise<void>,
): (frame: MediaFrame, ...rest: Rest) => Promise<void> {
  if (isOn !== true) return onFrame;
  let label: Stamp | null = null;
  return async (frame, ...rest) => {
    await onFrame(frame, ...rest);
    label ??= drawLabel(frame.width, frame.height);
    frame.stamp(label);
  };
}
