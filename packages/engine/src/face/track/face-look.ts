import type { Box } from '../geometry/box.ts';
import type { LumaView } from '../frame/scene-cuts.ts';

/** Side of the grid that describes the look of a face, in cells. */
const GRID_SIDE = 16;
/** Number of samples per side of each cell. */
const SAMPLES_PER_SIDE = 2;
/** Smallest contrast of a face, in levels of luma. With less, noise would look like change. */
const MIN_CONTRAST = 4;

/** Coarse look of a face: luma of a grid over its box, with mean 0 and deviation 1. */
export type FaceLook = Float32Array;

/** Returns the look of the face in a box. */
export function lookOfFace({ data, stride, width, height }: LumaView, box: Box): FaceLook {
  const look = new Float32Array(GRID_SIDE * GRID_SIDE);
  const count = GRID_SIDE * SAMPLES_PER_SIDE;
  const [stepX, stepY] = [(box.right - box.left) / count, (box.bottom - box.top) / count];
  for (let row = 0; row < count; row++) {
    const y = Math.min(height - 1, Math.max(0, Math.floor(box.top + (row + 0.5) * stepY)));
    for (let column = 0; column < count; column++) {
      const x = Math.min(width - 1, Math.max(0, Math.floor(box.left + (column + 0.5) * stepX)));
      const cell = Math.floor(row / SAMPLES_PER_SIDE) * GRID_SIDE + Math.floor(column / SAMPLES_PER_SIDE);
      look[cell]! += data[y * stride + x]! / SAMPLES_PER_SIDE ** 2;
    }
  }
  let mean = 0;
  for (const value of look) mean += value / look.length;
  let square = 0;
  for (const value of look) square += (value - mean) ** 2 / look.length;
  const contrast = Math.max(MIN_CONTRAST, Math.sqrt(square));
  for (let i = 0; i < look.length; i++) look[i] = (look[i]! - mean) / contrast;
  return look;
}

/** Measures how far two looks differ: 0 if they are equal, about 1.4 if they share nothing. */
export function lookStep(a: FaceLook, b: FaceLook): number {
  let square = 0;
  for (let i = 0; i < a.length; i++) square += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(square / a.length);
}
