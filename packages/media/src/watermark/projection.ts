import { addBlockWaves, type BlockWaves, toBlockWaves } from '@guise/kernels/filter/block-waves.ts';
import { BLOCK_SIDE, CARRIER, COEFFICIENTS, FREQUENCIES, GRID_SIDE, MARK_BITS } from './carrier.ts';

/** Number of frequencies of waves, with the mean. */
export const WAVE_COUNT = 5;
/** Waves of the marked coefficients: of the orthonormal cosine transform (DCT-II). */
export const WAVES: BlockWaves = {
  side: BLOCK_SIDE,
  waves: Float32Array.from({ length: WAVE_COUNT * BLOCK_SIDE }, (_, k) => {
    const frequency = Math.floor(k / BLOCK_SIDE);
    const size = Math.sqrt((frequency === 0 ? 1 : 2) / BLOCK_SIDE);
    return size * Math.cos(((2 * (k % BLOCK_SIDE) + 1) * frequency * Math.PI) / (2 * BLOCK_SIDE));
  }),
  frequencies: Int32Array.from(FREQUENCIES.flat()),
};

/**
 * Returns the projection of a grid on each bit's part of the carrier, of unit length.
 * @param gains by which the waves of `FREQUENCIES` are multiplied before
 */
export function projectionsOf(grid: Float32Array, gains?: Float64Array): Float64Array {
  const { bit, sign, counts } = CARRIER;
  const coefficients = toBlockWaves(grid, GRID_SIDE, WAVES);
  const sums = new Float64Array(MARK_BITS);
  for (let k = 0; k < COEFFICIENTS; k++) {
    const gain = gains === undefined ? 1 : gains[k % FREQUENCIES.length]!;
    sums[bit[k]!]! += sign[k]! * gain * coefficients[k]!;
  }
  for (let b = 0; b < MARK_BITS; b++) sums[b]! /= Math.sqrt(counts[b]!);
  return sums;
}

/**
 * Returns how large each coefficient of the carrier is in a grid whose projections are all 1.
 * @param weights sizes of the coefficients of a bit, relative to each other
 */
export function sharesOf(weights: Float32Array): Float32Array {
  const { bit, counts } = CARRIER;
  const factors = sumsOfBits(weights).map((sum, b) => Math.sqrt(counts[b]!) / sum);
  const shares = new Float32Array(COEFFICIENTS);
  for (let k = 0; k < COEFFICIENTS; k++) shares[k] = weights[k]! * factors[bit[k]!]!;
  return shares;
}

/**
 * Adds a grid whose projections are these to a mark, in place.
 * @param room largest size of each sample of the mark
 * @param shares see `sharesOf`
 */
export function addProjections(
  mark: Float32Array,
  room: Float32Array,
  projections: Float64Array,
  shares: Float32Array,
): void {
  const { bit, sign } = CARRIER;
  const coefficients = new Float32Array(COEFFICIENTS);
  for (let k = 0; k < COEFFICIENTS; k++) coefficients[k] = sign[k]! * shares[k]! * projections[bit[k]!]!;
  addBlockWaves(mark, room, coefficients, GRID_SIDE, WAVES);
}

/** Returns the energy of what `addProjections` adds for the projection 1, for each bit. */
export function energiesOf(shares: Float32Array): Float64Array {
  const energies = new Float64Array(MARK_BITS);
  for (let k = 0; k < COEFFICIENTS; k++) energies[CARRIER.bit[k]!]! += shares[k]! ** 2;
  return energies;
}

function sumsOfBits(values: Float32Array): Float64Array {
  const sums = new Float64Array(MARK_BITS);
  for (let k = 0; k < COEFFICIENTS; k++) sums[CARRIER.bit[k]!]! += values[k]!;
  return sums;
}

/**
 * Returns the point of a lattice nearest to a projection that means a bit: for 1 a quarter of a
 * step above a multiple of the step, for 0 a quarter below.
 */
export function nearestPoint(projection: number, bit: number, step: number): number {
  const offset = bit === 1 ? step / 4 : -step / 4;
  return step * Math.round((projection - offset) / step) + offset;
}

/** Returns what a projection means, from -1 (certainly 0) to 1 (certainly 1). */
export function softBit(projection: number, step: number): number {
  return Math.sin((2 * Math.PI * projection) / step);
}
