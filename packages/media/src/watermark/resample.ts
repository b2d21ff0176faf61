import { GRID_SIDE } from './carrier.ts';

/** A plane of numbers, row by row. */
export interface Plane {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Weights with which each sample of an axis is made from samples of another one. */
interface Axis {
  /** Number of the samples that each is made from. */
  readonly taps: number;
  /** First of these samples for each sample. */
  readonly from: Int32Array;
  /** Weights, `taps` for each sample. */
  readonly weights: Float32Array;
}

/** Reduces a plane to the grid, by the mean of the area that each sample covers. */
export function toGrid({ data, width, height }: Plane): Float32Array {
  const across = resampleRows(data, height, width, areaAxis(width));
  return resampleColumns(across, GRID_SIDE, areaAxis(height));
}

/** Enlarges a grid to a plane of some size, by Catmull-Rom interpolation. */
export function fromGrid(grid: Float32Array, width: number, height: number): Float32Array {
  const across = resampleRows(grid, GRID_SIDE, GRID_SIDE, cubicAxis(width));
  return resampleColumns(across, width, cubicAxis(height));
}

/**
 * Returns a function that says what `toGrid` sees of a grid after `fromGrid`, without a plane of
 * that size.
 */
export function seenAgain(width: number, height: number): (grid: Float32Array) => Float32Array {
  const across = composed(areaAxis(width), cubicAxis(width));
  const down = composed(areaAxis(height), cubicAxis(height));
  return (grid) => resampleColumns(resampleRows(grid, GRID_SIDE, GRID_SIDE, across), GRID_SIDE, down);
}

function resampleRows(data: Float32Array, rows: number, width: number, axis: Axis): Float32Array {
  const { taps, from, weights } = axis;
  const made = new Float32Array(rows * from.length);
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < from.length; x++) {
      let sum = 0;
      const start = row * width + from[x]!;
      for (let tap = 0; tap < taps; tap++) sum += weights[x * taps + tap]! * data[start + tap]!;
      made[row * from.length + x] = sum;
    }
  }
  return made;
}

function resampleColumns(data: Float32Array, width: number, { taps, from, weights }: Axis): Float32Array {
  const made = new Float32Array(from.length * width);
  for (let y = 0; y < from.length; y++) {
    for (let tap = 0; tap < taps; tap++) {
      const weight = weights[y * taps + tap]!;
      if (weight === 0) continue;
      const start = (from[y]! + tap) * width;
      for (let x = 0; x < width; x++) made[y * width + x]! += weight * data[start + x]!;
    }
  }
  return made;
}

/**
 * Axis that reduces `length` samples to the grid by area, or interpolates linearly if it is longer.
 */
function areaAxis(length: number): Axis {
  const scale = length / GRID_SIDE;
  const taps = Math.min(length, Math.max(2, Math.ceil(scale) + 1));
  const from = new Int32Array(GRID_SIDE);
  const weights = new Float32Array(GRID_SIDE * taps);
  for (let k = 0; k < GRID_SIDE; k++) {
    const middle = (k + 0.5) * scale;
    const half = Math.max(scale, 1) / 2;
    const start = Math.max(0, Math.min(length - taps, Math.floor(middle - half)));
    from[k] = start;
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const at = start + tap;
      const covered = Math.min(at + 1, middle + half) - Math.max(at, middle - half);
      weights[k * taps + tap] = Math.max(0, covered);
      sum += Math.max(0, covered);
    }
    for (let tap = 0; tap < taps; tap++) weights[k * taps + tap]! /= sum;
  }
  return { taps, from, weights };
}

/** Axis that interpolates the grid to `length` samples. */
function cubicAxis(length: number): Axis {
  const taps = 4;
  const from = new Int32Array(length);
  const weights = new Float32Array(length * taps);
  for (let k = 0; k < length; k++) {
    const at = ((k + 0.5) * GRID_SIDE) / length - 0.5;
    const whole = Math.floor(at);
    const t = at - whole;
    const four = [
      (-t + 2 * t ** 2 - t ** 3) / 2,
      (2 - 5 * t ** 2 + 3 * t ** 3) / 2,
      (t + 4 * t ** 2 - 3 * t ** 3) / 2,
      (t ** 3 - t ** 2) / 2,
    ];
    const start = Math.max(0, Math.min(GRID_SIDE - taps, whole - 1));
    from[k] = start;
    // Beyond the edge, the sample at the edge counts.
    for (const [tap, weight] of four.entries()) {
      const sample = Math.max(0, Math.min(GRID_SIDE - 1, whole - 1 + tap));
      weights[k * taps + sample - start]! += weight;
    }
  }
  return { taps, from, weights };
}

/** Returns the axis that does `inner` and then `outer`, both of which are narrow. */
function composed(outer: Axis, inner: Axis): Axis {
  const rows = Array.from(outer.from, (start, k) => {
    const row = new Float32Array(GRID_SIDE);
    for (let tap = 0; tap < outer.taps; tap++) {
      const weight = outer.weights[k * outer.taps + tap]!;
      if (weight === 0) continue;
      const at = start + tap;
      for (let own = 0; own < inner.taps; own++)
        row[inner.from[at]! + own]! += weight * inner.weights[at * inner.taps + own]!;
    }
    return row;
  });
  const firsts = rows.map((row) =>
    Math.max(
      0,
      row.findIndex((weight) => weight !== 0),
    ),
  );
  const taps = Math.max(
    ...rows.map((row, k) => row.findLastIndex((weight) => weight !== 0) + 1 - firsts[k]!),
  );
  const from = Int32Array.from(firsts, (first) => Math.min(first, GRID_SIDE - taps));
  const weights = new Float32Array(GRID_SIDE * taps);
  for (const [k, row] of rows.entries()) weights.set(row.subarray(from[k], from[k]! + taps), k * taps);
  return { taps, from, weights };
}
