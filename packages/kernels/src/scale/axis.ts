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
  return { taps, from: starts, weights, total: 1 };
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
    const start = Math.max(0, Math.min(side - taps, whole - 1));
    from[k] = start;
    // Beyond the edge, the sample at the edge counts.
    for (let tap = 0; tap < 4; tap++) {
      const sample = Math.max(0, Math.min(side - 1, whole - 1 + tap));
      weights[k * taps + sample - start]! += cubicWeight(tap, t);
    }
  }
  return { taps, from, weights, total: 1 };
}

/** Returns the weight of the sample 0 to 3 of four, for a place `t` of the way from 1 to 2. */
function cubicWeight(sample: number, t: number): number {
  if (sample === 0) return (t * (t * (2 - t) - 1)) / 2;
  if (sample === 1) return (2 + t * t * (3 * t - 5)) / 2;
  return cubicWeight(3 - sample, 1 - t);
}

/** Sum of the weights of an axis of 16-bit integers. */
const TOTAL_16 = 2 ** 15 - 1;

/** Returns an axis whose weights are bytes with the sum 255. */
export function inBytes({ taps, from, weights }: Axis): Axis<Uint8Array> {
  return {
    taps,
    from,
    weights: wholeWeights(weights, taps, new Uint8Array(weights.length), 255),
    total: 255,
  };
}

/** Returns an axis whose weights are 16-bit integers with the sum 32767. */
export function inShorts({ taps, from, weights }: Axis): Axis<Int16Array> {
  return {
    taps,
    from,
    weights: wholeWeights(weights, taps, new Int16Array(weights.length), TOTAL_16),
    total: TOTAL_16,
  };
}

/**
 * Returns an axis whose samples are the weighted sums of the channels of pixels that lie byte by
 * byte. Its number of taps is a multiple of eight: further taps weigh nothing.
 * @param channels weight of each channel, together 1
 */
export function overChannels({ taps, from, weights }: Axis, channels: readonly number[]): Axis<Int16Array> {
  const more = 8 * Math.ceil((taps * channels.length) / 8);
  const each = new Float32Array(from.length * more);
  for (let k = 0; k < weights.length; k++) {
    const at = Math.floor(k / taps) * more + (k % taps) * channels.length;
    for (let c = 0; c < channels.length; c++) each[at + c] = channels[c]! * weights[k]!;
  }
  return inShorts({ taps: more, from: from.map((at) => channels.length * at), weights: each, total: 1 });
}

/** Writes weights as whole numbers, whose sum for each sample is `total`. @returns `whole` */
function wholeWeights<Weights extends Uint8Array | Int16Array>(
  weights: Float32Array,
  taps: number,
  whole: Weights,
  total: number,
): Weights {
  for (let k = 0; k < weights.length; k += taps) {
    let [sum, written] = [0, 0];
    for (let tap = k; tap < k + taps; tap++) {
      sum += total * weights[tap]!;
      whole[tap] = Math.round(sum) - written;
      written += whole[tap]!;
    }
  }
  return whole;
}

/** Returns a part of an axis, whose samples count from `first` of the other axis on. */
export function partOfAxis<Weights extends Uint8Array | Int16Array>(
  { taps, from, weights, total }: Axis<Weights>,
  start: number,
  end: number,
  first: number,
): Axis<Weights> {
  return {
    taps,
    from: from.subarray(start, end).map((at) => at - first),
    weights: weights.subarray(start * taps, end * taps) as Weights,
    total,
  };
}
