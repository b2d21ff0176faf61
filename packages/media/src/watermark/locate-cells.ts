import { type Axis, areaAxis } from '@guise/kernels/scale/axis.ts';
import { lumaAlong, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import { GRID_SIDE } from './carrier.ts';
import { PATTERN } from './pattern.ts';

/** Where the samples of a line lie on an axis of the grid: in cells, which need not be whole. */
interface Place {
  /** Cells before the first sample. */
  readonly from: number;
  /** Cells of all samples. */
  readonly length: number;
}

/** Cells that a line shows whole. */
interface WholeCells {
  readonly first: number;
  readonly count: number;
  /** Reduces the line's samples to these cells. */
  readonly axis: Axis;
}

/** Smallest part of an axis that is searched for, cells. */
const LEAST_CELLS = GRID_SIDE / 2;
/** Numbers of samples to which a picture is reduced before the search. */
const [ALONG, ACROSS] = [1024, 96];
/** Distances between the places that are tried first, and then around the best, cells. */
const [COARSE, FINE] = [0.5, 0.25];
/** Variance that is added, so that quiet parts do not count without limit. */
const LEAST_VARIANCE = 0.5;

/**
 * Finds the part of the grid that a picture shows, along its width and its height: where the
 * stripes of the pattern fit best.
 * @returns the best place of each axis, right or wrong
 */
export function locateCells(samples: SampleRows): { readonly across: Place; readonly down: Place } {
  const { width, height } = samples;
  const [long, wide] = [Math.min(ALONG, width), Math.min(ACROSS, height)];
  const lines = lumaAlong(samples, areaAxis(width, long), areaAxis(height, wide));
  const [tall, narrow] = [Math.min(ALONG, height), Math.min(ACROSS, width)];
  const turned = lumaAlong(samples, areaAxis(width, narrow), areaAxis(height, tall));
  return {
    across: placeOf(lines, long, wide, PATTERN.columns),
    down: placeOf(transposed(turned, narrow, tall), tall, narrow, PATTERN.rows),
  };
}

/** Returns the cells that lie wholly in `length` samples at a place. */
export function wholeCells({ from, length: cells }: Place, length: number): WholeCells {
  const first = Math.ceil(from - 1e-6);
  const count = Math.min(GRID_SIDE, Math.floor(from + cells + 1e-6)) - first;
  const start = ((first - from) / cells) * length;
  return { first, count, axis: areaAxis(length, count, start, start + (count / cells) * length) };
}

/** Finds the place of lines at which the stripes fit best. */
function placeOf(lines: Float32Array, length: number, count: number, stripes: Int8Array): Place {
  let best: Place & { fit: number } = { from: 0, length: GRID_SIDE, fit: -Infinity };
  const wanted = sharpened(Float32Array.from(stripes));
  const tryPhase = (cells: number, phase: number, firsts: readonly [number, number]): void => {
    // All places with this phase show the same parts of the line, from other cells on.
    const { axis, count: whole } = wholeCells({ from: phase, length: cells }, length);
    if (whole < 2) return;
    const signal = stripesOf(lines, length, count, axis);
    const size = Math.sqrt(signal.reduce((sum, value) => sum + value * value, 0)) + Number.EPSILON;
    for (let first = firsts[0]; first <= Math.min(firsts[1], GRID_SIDE - whole); first++) {
      let sum = 0;
      for (let x = 0; x < whole; x++) sum += signal[x]! * wanted[first + x]!;
      if (sum / size > best.fit)
        best = { from: first - Math.ceil(phase) + phase, length: cells, fit: sum / size };
    }
  };
  for (let cells = GRID_SIDE; cells >= LEAST_CELLS; cells -= 1)
    for (let phase = 0; phase < 1; phase += COARSE) tryPhase(cells, phase, [0, GRID_SIDE]);
  const { from, length: cells } = best;
  for (let more = -3 * FINE; more <= 3 * FINE; more += FINE)
    for (let shift = -2 * FINE; shift <= 2 * FINE; shift += FINE) {
      const at = from + shift;
      if (at < 0 || at + cells + more > GRID_SIDE + 1e-6) continue;
      const first = Math.ceil(at - 1e-6);
      tryPhase(cells + more, ((at % 1) + 1) % 1, [first, first]);
    }
  return best;
}

/** Returns the stripes that lines have in common, cell by cell. */
function stripesOf(lines: Float32Array, length: number, count: number, axis: Axis): Float32Array {
  const cells = axis.from.length;
  const sums = new Float32Array(cells);
  const line = new Float32Array(cells);
  for (let row = 0; row < count; row++) {
    for (let x = 0; x < cells; x++) {
      let sum = 0;
      const start = row * length + axis.from[x]!;
      for (let tap = 0; tap < axis.taps; tap++)
        sum += axis.weights[x * axis.taps + tap]! * lines[start + tap]!;
      line[x] = sum;
    }
    const sharp = sharpened(line);
    for (let x = 0; x < cells; x++) {
      const before = sharp[Math.max(0, x - 1)]!;
      const after = sharp[Math.min(cells - 1, x + 1)]!;
      const here = sharp[x]!;
      sums[x]! += here / ((before * before + here * here + after * after) / 3 + LEAST_VARIANCE);
    }
  }
  return sums;
}

/** Returns by how much each value differs from the mean of its neighbours. */
function sharpened(line: Float32Array): Float32Array {
  const sharp = new Float32Array(line.length);
  for (let x = 0; x < line.length; x++)
    sharp[x] = line[x]! - (line[Math.max(0, x - 1)]! + line[Math.min(line.length - 1, x + 1)]!) / 2;
  return sharp;
}

function transposed(values: Float32Array, width: number, height: number): Float32Array {
  const turned = new Float32Array(values.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) turned[x * height + y] = values[y * width + x]!;
  return turned;
}
