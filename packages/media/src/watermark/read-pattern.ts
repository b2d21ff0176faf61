import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { GRID_SIDE, MARK_BITS } from './carrier.ts';
import { PATTERN } from './pattern.ts';

/** Cells of the grid that a picture shows. */
export interface Cells {
  /** First column and row of them. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** All cells. */
const ALL_CELLS: Cells = { x: 0, y: 0, width: GRID_SIDE, height: GRID_SIDE };

/** Largest square of a difference that counts as such, levels. */
const MAX_SQUARE = 400;
/** Variance that is added, so that quiet parts do not count without limit. */
const LEAST_VARIANCE = 0.5;

/**
 * Reads the bits of a pattern.
 * @param values light of the cells, 0..255
 * @param cells default: all
 * @returns for each bit how many standard deviations it lies above (1) or below (0) chance
 */
export function readPattern(values: Float32Array, cells = ALL_CELLS): Float64Array {
  const { x: left, y: top, width, height } = cells;
  const signal = whitened(values, width, height);
  const sums = new Float64Array(MARK_BITS);
  const squares = new Float64Array(MARK_BITS);
  for (let y = 0, k = 0; y < height; y++) {
    for (let x = 0; x < width; x++, k++) {
      const cell = (top + y) * GRID_SIDE + left + x;
      const isTurned = PATTERN.bits[cell]! >= MARK_BITS;
      const bit = isTurned ? PATTERN.bits[cell]! - MARK_BITS : PATTERN.bits[cell]!;
      sums[bit]! += isTurned ? -signal[k]! : signal[k]!;
      squares[bit]! += signal[k]! ** 2;
    }
  }
  return sums.map((sum, b) => sum / Math.sqrt(squares[b]! + Number.EPSILON));
}

/**
 * Returns by how much each value differs from what its neighbours let expect, over the variance of
 * such differences around it.
 */
function whitened(values: Float32Array, width: number, height: number): Float32Array {
  const difference = new Float32Array(values.length);
  const variance = new Float32Array(values.length);
  for (let y = 0, k = 0; y < height; y++) {
    const up = Math.max(0, y - 1) * width;
    const here = y * width;
    const down = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x++, k++) {
      const left = Math.max(0, x - 1);
      const right = Math.min(width - 1, x + 1);
      const beside = values[here + left]! + values[here + right]! + values[up + x]! + values[down + x]!;
      const across = values[up + left]! + values[up + right]! + values[down + left]! + values[down + right]!;
      difference[k] = values[k]! - beside / 2 + across / 4;
      variance[k] = Math.min(MAX_SQUARE, difference[k]! ** 2);
    }
  }
  boxBlur(variance, width, height, 1, 1);
  for (let k = 0; k < difference.length; k++) difference[k]! /= variance[k]! + LEAST_VARIANCE;
  return difference;
}
