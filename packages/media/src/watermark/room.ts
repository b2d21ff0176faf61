import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { GRID_SIDE } from './carrier.ts';

/** Largest change of flat parts, levels. Enlarging may add a quarter, and two are not seen. */
const FLAT_LEVELS = 1.7;
/** Largest further change of parts with detail, levels. */
const DETAIL_LEVELS = 4;
/** Change per level of standard deviation around a sample. */
const LEVELS_PER_DEVIATION = 0.2;
/** Distance of the samples from which a deviation is measured, in samples of the grid. */
const REACH = 2;

/**
 * Returns the largest change of each sample of a grid that nobody sees, in levels. Beside a sharp
 * edge a change is seen as on flat parts: so of the four parts that touch a sample, the one with
 * the least detail counts.
 */
export function roomOf(grid: Float32Array): Float32Array {
  const mean = grid.slice();
  const room = new Float32Array(grid.length);
  for (let k = 0; k < grid.length; k++) room[k] = grid[k]! * grid[k]!;
  for (const plane of [mean, room]) boxBlur(plane, GRID_SIDE, GRID_SIDE, REACH, 1);
  for (let k = 0; k < grid.length; k++) {
    const deviation = Math.sqrt(Math.max(0, room[k]! - mean[k]! * mean[k]!));
    room[k] = FLAT_LEVELS + Math.min(DETAIL_LEVELS, LEVELS_PER_DEVIATION * deviation);
  }
  return leastAtCorners(room);
}

/** Returns the least of the four values that lie `REACH` away from each, diagonally. */
function leastAtCorners(plane: Float32Array): Float32Array {
  const across = new Float32Array(plane.length);
  for (let row = 0; row < plane.length; row += GRID_SIDE)
    for (let x = 0; x < GRID_SIDE; x++) {
      const left = plane[row + (x < REACH ? 0 : x - REACH)]!;
      const right = plane[row + (x < GRID_SIDE - REACH ? x + REACH : GRID_SIDE - 1)]!;
      across[row + x] = left < right ? left : right;
    }
  const least = new Float32Array(plane.length);
  for (let y = 0; y < GRID_SIDE; y++) {
    const above = GRID_SIDE * (y < REACH ? 0 : y - REACH);
    const below = GRID_SIDE * (y < GRID_SIDE - REACH ? y + REACH : GRID_SIDE - 1);
    for (let x = 0; x < GRID_SIDE; x++) {
      const [up, down] = [across[above + x]!, across[below + x]!];
      least[y * GRID_SIDE + x] = up < down ? up : down;
    }
  }
  return least;
}
