import { reduceRegion } from '@guise/kernels/yuv/reduce-region.ts';
import type { Yuv420, YuvRegion } from '@guise/kernels/yuv/yuv-region.ts';
import { regionToRgb } from '@guise/kernels/yuv/yuv-region.ts';
import type { ColourMatrix } from './colour.ts';

/**
 * Reduces a region, or the whole frame, to RGB by a whole factor; see `reduceRegion`.
 * @param out `floor(region.width / factor) * floor(region.height / factor) * 3` bytes
 */
export function reducedToRgb(
  frame: Yuv420,
  matrix: ColourMatrix,
  factor: number,
  out: Uint8Array,
  region: YuvRegion = { x: 0, y: 0, width: frame.width, height: frame.height },
): void {
  if (factor === 1) regionToRgb(frame, matrix, region, out);
  else reduceRegion(frame, matrix, factor, region, out);
}
