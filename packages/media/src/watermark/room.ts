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
    const variance = room[k]! - mean[k]! * mean[k]!;
    const detail = variance > 0 ? LEVELS_PER_DEVIATION * Math.sqrt(variance) : 0;
    room[k] = FLAT_LEVELS + (detail < DETAIL_LEVELS ? detail : DETAIL_LEVELS);
  }
  return leastAtCorners(room);
}

/** Returns the least of the four values that lie `REACH` away from each, diagonally. */
function leastAtCorners(plane: Float32Array): Float32Array {
  const across = leastOfTwo(plane, 1, GRID_SIDE);
  return leastOfTwo(across, GRID_SIDE, 1);
}

/**
 * Returns the lesser of the two values that lie `REACH` before and after each along an axis; beyond
 * the edge lies what lies on it.
 * @param step distance of two values along the axis
 * @param line distance of two lines along it
 */
function leastOfTwo(plane: Float32Array, step: number, line: number): Float32Array {
  const least = new Float32Array(plane.length);
  for (let at = 0; at < GRID_SIDE; at++) {
    const before = step * Math.max(0, at - REACH);
    const after = step * Math.min(GRID_SIDE - 1, at + REACH);
    for (let k = 0, place = step * at; k < GRID_SIDE; k++, place += line) {
      const first = plane[before + k * line]!;
      const second = plane[after + k * line]!;
      least[place] = first < second ? first : second;
    }
  }
  return least;
}
