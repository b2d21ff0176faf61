import { averageAlong as plainAverageAlong } from '../plain/average-along.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage } from '../wasm/stage.ts';

/**
 * Writes the mean of the values at these distances from each value, which lie on a line through it.
 * Values nearer to either end of the plane than the largest distance are kept.
 */
export function averageAlong(plane: Float32Array, offsets: Int32Array, mean: Float32Array): void {
  const reach = offsets.reduce((most, offset) => Math.max(most, Math.abs(offset)), 0);
  const to = plane.length - reach;
  if (!fitsStage(plane.byteLength + mean.byteLength + offsets.byteLength)) {
    plainAverageAlong(plane, offsets, reach, to, mean);
    return;
  }
  const at = copyIn(mean);
  kernels().averageAlong(copyIn(plane), copyIn(offsets), offsets.length, at, reach, to);
  copyOut(mean, at);
}
