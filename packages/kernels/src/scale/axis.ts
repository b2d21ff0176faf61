import type { Axis } from '../plain/luma-grid.ts';

export type { Axis } from '../plain/luma-grid.ts';

/** Samples that a vector of the kernels reads beyond the end of an axis. */
const PADDING = 16;

/**
 * Makes the axis that reduces `length` samples to `count` by the area that each covers. If there
 * are fewer than `count`, it interpolates linearly.
 * @param from the part of the samples that is reduced, default: all. It need not be whole.
 */
export function areaAxis(length: number, count: number, from = 0, to = length): Axis {
  const scale = (to - from) / count;
  const taps = Math.min(length, Math.max(2, Math.ceil(scale) + 1));
  const half = Math.max(scale, 1) / 2;
  const starts = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  for (let k = 0; k < count; k++) {
    const middle = from + (k + 0.5) * scale;
    const start = Math.max(0, Math.min(length - taps, Math.floor(middle - half)));
    starts[k] = start;
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const at = start + tap;
      const covered = Math.max(0, Math.min(at + 1, middle + half) - Math.max(at, middle - half));
      weights[k * taps + tap] = covered;
      sum += covered;
    }
    for (let tap = 0; tap < taps; tap++) weights[k * taps + tap]! /= sum;
  }
  return { taps, from: starts, weights };
}

/**
 * Makes the axis that interpolates `side` samples to `length` (Catmull and Rom, 1974). Its arrays
 * go on beyond `length`, up to a multiple of 16.
 * @param side at least 4
 */
export function cubicAxis(length: number, side: number): Axis {
  const taps = 4;
  const padded = Math.ceil(length / PADDING) * PADDING;
  const from = new Int32Array(padded);
  const weights = new Float32Array(padded * taps);
  for (let k = 0; k < length; k++) {
    const at = ((k + 0.5) * side) / length - 0.5;
    const whole = Math.floor(at);
    const t = at - whole;
    const four = [
      (-t + 2 * t ** 2 - t ** 3) / 2,
      (2 - 5 * t ** 2 + 3 * t ** 3) / 2,
      (t + 4 * t ** 2 - 3 * t ** 3) / 2,
      (t ** 3 - t ** 2) / 2,
    ];
    const start = Math.max(0, Math.min(side - taps, whole - 1));
    from[k] = start;
    // Beyond the edge, the sample at the edge counts.
    for (const [tap, weight] of four.entries()) {
      const sample = Math.max(0, Math.min(side - 1, whole - 1 + tap));
      weights[k * taps + sample - start]! += weight;
    }
  }
  return { taps, from, weights };
}

/** Returns an axis whose number of taps is a multiple of four. Further taps weigh nothing. */
export function withFours({ taps, from, weights }: Axis): Axis {
  const more = Math.ceil(taps / 4) * 4;
  const padded = new Float32Array(from.length * more);
  for (let k = 0; k < from.length; k++) padded.set(weights.subarray(k * taps, (k + 1) * taps), k * more);
  return { taps: more, from, weights: padded };
}

/** Returns a part of an axis, whose samples count from `first` of the other axis on. */
export function partOfAxis({ taps, from, weights }: Axis, start: number, end: number, first: number): Axis {
  return {
    taps,
    from: from.subarray(start, end).map((at) => at - first),
    weights: weights.subarray(start * taps, end * taps),
  };
}
