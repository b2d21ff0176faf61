import { addGrid } from '@guise/kernels/scale/luma-grid.ts';
import type { MediaFrame } from '../video/video-types.ts';
import { GRID_SIDE } from './carrier.ts';
import { patternOf } from './pattern.ts';

/**
 * Heights of the pattern's cells in clips, levels, and in clips whose shorter side is less than
 * this many pixels: encoders flatten more of a small picture. There are no stripes, because a part
 * of a clip is not searched for.
 */
const [CELL_LEVELS, CELL_LEVELS_IF_SMALL, SMALL_SIDE] = [0.8, 1.2, 540];
/** Largest change of a sample, levels. */
const MAX_LEVELS = 2;
/** Light in the middle, from which levels may go up and down. */
const MIDDLE = 128;

/**
 * Returns an editor of frames that puts the watermark into each frame after it was edited: the same
 * levels in all of them, so that nothing flickers.
 * @param id six bytes in hex; if undefined, the editor itself is returned
 */
export function watermarkFrames<Rest extends readonly unknown[]>(
  id: string | undefined,
  onFrame: (frame: MediaFrame, ...rest: Rest) => Promise<void>,
): (frame: MediaFrame, ...rest: Rest) => Promise<void> {
  if (id === undefined) return onFrame;
  let levels: Int8Array | null = null;
  return async (frame, ...rest) => {
    await onFrame(frame, ...rest);
    levels ??= levelsOf(id, frame);
    frame.addLevels(levels);
  };
}

/** Returns the levels to add to each pixel of a frame, row by row. */
function levelsOf(id: string, { width, height }: MediaFrame): Int8Array {
  const cells = Math.min(width, height) < SMALL_SIDE ? CELL_LEVELS_IF_SMALL : CELL_LEVELS;
  const pattern = patternOf(Buffer.from(id, 'hex'), cells, 0);
  const data = new Uint8Array(width * height).fill(MIDDLE);
  addGrid(pattern, GRID_SIDE, { data, width, height, stride: width, channels: 1 });
  return Int8Array.from(data, (value) => Math.max(-MAX_LEVELS, Math.min(MAX_LEVELS, value - MIDDLE)));
}
